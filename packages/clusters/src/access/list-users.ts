import type { Scope, Slice } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { readSlice } from '../metadata/read-slice.ts';
import { type ClusterUser, usersOf } from './access-messages.ts';
import { listCredentialUses } from './list-credential-uses.ts';

/**
 * The Kafka users of a cluster, by name.
 * @param input.slice undefined for all
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function listUsers(
  scope: Scope,
  metadata: Pick<MetadataAdmin, 'listUsers'>,
  { clusterId, slice }: { clusterId: string; slice: Slice<readonly [string]> | undefined },
): Promise<ClusterUser[]> {
  const { id } = await findCluster(scope, clusterId);
  return readSlice(
    slice,
    async (page) => {
      const credentials = await metadata.listUsers(id, page);
      const names = [...new Set(credentials.map(({ user }) => user))];
      return usersOf({ credentials }, await listCredentialUses(scope, id, names));
    },
    ({ user }) => user,
  );
}
