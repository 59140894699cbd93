import { quotaKey } from '@penstock/metadata-protocol';
import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { readSlice } from '../metadata/read-slice.ts';
import { type ClientQuota, quotaOf } from './access-messages.ts';

/**
 * The client quotas of a cluster, by user.
 * @param input.slice undefined for all
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function listQuotas(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'listQuotas'>,
  { clusterId, slice }: { clusterId: string; slice: Slice<readonly [string]> | undefined },
): Promise<ClientQuota[]> {
  const { id } = await findCluster(scope, clusterId);
  return readSlice(slice, async (page) => (await metadata.listQuotas(id, page)).map(quotaOf), keyOfQuota);
}

/** The key that orders the list. */
export function keyOfQuota({ user, clientId }: Pick<ClientQuota, 'user' | 'clientId'>): string {
  return quotaKey({ ...(user !== null && { user }), ...(clientId !== null && { clientId }) });
}
