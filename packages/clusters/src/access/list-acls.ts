import { aclKey } from '@penstock/metadata-protocol';
import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { readSlice } from '../metadata/read-slice.ts';
import type { Acl } from './access-input.ts';
import { aclOf, bindingMessage } from './access-messages.ts';

/**
 * The ACLs of a cluster, by resource.
 * @param input.slice undefined for all
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function listAcls(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'listAcls'>,
  { clusterId, slice }: { clusterId: string; slice: Slice<readonly [string]> | undefined },
): Promise<Acl[]> {
  const { id } = await findCluster(scope, clusterId);
  return readSlice(slice, async (page) => (await metadata.listAcls(id, page)).map(aclOf), keyOfAcl);
}

/** The key that orders the list. */
export function keyOfAcl(acl: Acl): string {
  return aclKey(bindingMessage(acl));
}
