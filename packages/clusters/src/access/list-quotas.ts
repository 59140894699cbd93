import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type ClientQuota, quotaOf } from './access-messages.ts';

/** @throws AppError `cluster_not_found`, `metadata_unavailable` */
export async function listQuotas(scope: Scope, metadata: MetadataAdmin, clusterId: string): Promise<ClientQuota[]> {
  const { id } = await findCluster(scope, clusterId);
  const { quotas } = await metadata.describeSecurity(id);
  return quotas.map(quotaOf);
}
