// Creates ACLs. Each is accepted or refused on its own; one that exists already is accepted.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import type { Acl } from './access-input.ts';
import { aclText, bindingMessage } from './access-messages.ts';
import { expectAccepted } from './expect-accepted.ts';

export interface CreatedAcls {
  created: Acl[];
  /** The refused ACLs, with the reason. */
  refused: { acl: Acl; message: string }[];
}

/** @throws AppError `cluster_not_found`, `access_invalid` or `access_limit_reached` if none is accepted, `metadata_unavailable` */
export async function createAcls(
  scope: Scope,
  metadata: MetadataAdmin,
  input: { clusterId: string; acls: readonly Acl[] },
): Promise<CreatedAcls> {
  const cluster = await findCluster(scope, input.clusterId);
  const results = await metadata.createAcls(cluster.id, scope.actor.label, input.acls.map(bindingMessage));
  const created = input.acls.filter((_, at) => results[at]?.errorCode === 0);
  if (created.length === 0) {
    expectAccepted(results[0]);
  }
  await recordAudit(scope, {
    action: 'acl.create',
    targetType: 'acl',
    targetId: cluster.id,
    after: { clusterId: cluster.id, acls: created.map(aclText) },
  });
  const refused = input.acls.flatMap((acl, at) =>
    results[at]?.errorCode === 0 ? [] : [{ acl, message: results[at]?.errorMessage ?? '' }],
  );
  return { created, refused };
}
