// Deletes a user's credentials. ACLs and quotas that name the user stay, as in Kafka.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import type { ScramMechanismName } from './access-input.ts';
import { deletionMessage, usersOf } from './access-messages.ts';
import { expectAccepted } from './expect-accepted.ts';

/**
 * @param input.mechanism only this credential; undefined for all
 * @throws AppError `cluster_not_found`, `user_not_found`, `metadata_unavailable`
 */
export async function deleteUser(
  scope: Scope,
  metadata: MetadataAdmin,
  input: { clusterId: string; user: string; mechanism?: ScramMechanismName | undefined },
): Promise<void> {
  const cluster = await findCluster(scope, input.clusterId);
  const known = usersOf(await metadata.describeSecurity(cluster.id), []).find(({ user }) => user === input.user);
  const mechanisms = (known?.credentials ?? [])
    .map(({ mechanism }) => mechanism)
    .filter((mechanism) => input.mechanism === undefined || mechanism === input.mechanism);
  if (mechanisms.length === 0) {
    throw new AppError({
      kind: 'not-found',
      code: 'user_not_found',
      message: `This cluster has no such credential of user “${input.user}”.`,
      remedy: 'It may have been deleted. Reload the list.',
    });
  }
  const deletions = mechanisms.map((mechanism) => deletionMessage(input.user, mechanism));
  const [result] = await metadata.alterUsers(cluster.id, scope.actor.label, { upserts: [], deletions });
  expectAccepted(result);
  await recordAudit(scope, {
    action: 'cluster-user.delete',
    targetType: 'cluster-user',
    targetId: `${cluster.id}/${input.user}`,
    before: { clusterId: cluster.id, user: input.user, mechanisms },
  });
}
