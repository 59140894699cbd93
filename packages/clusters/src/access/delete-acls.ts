// Deletes all ACLs that a filter matches.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import type { Acl, AclFilter } from './access-input.ts';
import { aclOf, aclText, filterMessage } from './access-messages.ts';
import { expectAccepted } from './expect-accepted.ts';

/**
 * Returns what was deleted, which may be nothing.
 * @throws AppError `cluster_not_found`, `acl_filter_empty`, `metadata_unavailable`
 */
export async function deleteAcls(
  scope: Scope,
  metadata: MetadataAdmin,
  { clusterId, ...filter }: AclFilter & { clusterId: string },
): Promise<Acl[]> {
  const cluster = await findCluster(scope, clusterId);
  if (Object.values(filter).every((value) => value === undefined)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'acl_filter_empty',
      message: 'An empty filter would delete every ACL of the cluster.',
      remedy: 'Name a principal, a resource or an operation.',
    });
  }
  const [result] = await metadata.deleteAcls(cluster.id, scope.actor.label, [filterMessage(filter)]);
  expectAccepted(result);
  const deleted = (result?.deleted ?? []).map(aclOf);
  if (deleted.length > 0) {
    await recordAudit(scope, {
      action: 'acl.delete',
      targetType: 'acl',
      targetId: cluster.id,
      before: { clusterId: cluster.id, acls: deleted.map(aclText) },
    });
  }
  return deleted;
}
