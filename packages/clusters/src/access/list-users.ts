import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type ClusterUser, usersOf } from './access-messages.ts';
import { listCredentialUses } from './list-credential-uses.ts';

/** The Kafka users of a cluster, by name. @throws AppError `cluster_not_found`, `metadata_unavailable` */
export async function listUsers(scope: Scope, metadata: MetadataAdmin, clusterId: string): Promise<ClusterUser[]> {
  const { id } = await findCluster(scope, clusterId);
  return usersOf(await metadata.describeSecurity(id), await listCredentialUses(scope, id));
}
