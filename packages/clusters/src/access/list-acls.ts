import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import type { Acl } from './access-input.ts';
import { aclOf } from './access-messages.ts';

/** All ACLs of a cluster, oldest first. @throws AppError `cluster_not_found`, `metadata_unavailable` */
export async function listAcls(scope: Scope, metadata: MetadataAdmin, clusterId: string): Promise<Acl[]> {
  const { id } = await findCluster(scope, clusterId);
  const { acls } = await metadata.describeSecurity(id);
  return acls.map(aclOf);
}
