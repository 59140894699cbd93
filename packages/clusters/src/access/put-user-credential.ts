// Adds or replaces a user's SCRAM credential. The caller derived the verifier, so no password arrives here.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import type { ScramVerifier } from './access-input.ts';
import { type ClusterUser, credentialMessage, usersOf } from './access-messages.ts';
import { expectAccepted } from './expect-accepted.ts';
import { listCredentialUses } from './list-credential-uses.ts';

/** @throws AppError `cluster_not_found`, `access_invalid`, `access_limit_reached`, `metadata_unavailable` */
export async function putUserCredential(
  scope: Scope,
  metadata: MetadataAdmin,
  { clusterId, user, ...verifier }: ScramVerifier & { clusterId: string; user: string },
): Promise<ClusterUser> {
  const cluster = await findCluster(scope, clusterId);
  const upserts = [credentialMessage(user, verifier)];
  const [result] = await metadata.alterUsers(cluster.id, scope.actor.label, { upserts, deletions: [] });
  expectAccepted(result);
  await recordAudit(scope, {
    action: 'cluster-user.put-credential',
    targetType: 'cluster-user',
    targetId: `${cluster.id}/${user}`,
    after: {
      clusterId: cluster.id,
      user,
      mechanism: verifier.mechanism,
      iterations: verifier.iterations,
      expiresAt: verifier.expiresAt?.toISOString() ?? null,
    },
  });
  const uses = await listCredentialUses(scope, cluster.id, [user]);
  const found = usersOf(await metadata.describeSecurity(cluster.id), uses).find((other) => other.user === user);
  return found ?? { user, credentials: [] };
}
