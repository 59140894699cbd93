// Ends the keys that a person made, when they leave the organization: a copied secret must not outlive their membership.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { type ApiKey, apiKeyFacts } from './api-key.ts';
import { activeKeysOfMaker } from './keys-of-maker.ts';

export async function revokeKeysOfMaker(scope: Scope, userId: string): Promise<void> {
  for (const key of await activeKeysOfMaker(scope, userId)) {
    await endKey(scope, key, 'The person who created it left the organization.');
  }
}

/** Revokes a key for a reason that is not a request to revoke it. */
export async function endKey(scope: Scope, key: ApiKey, reason: string): Promise<void> {
  const { tx, organizationId, now } = scope;
  await tx.apiKey.update({ where: { id: key.id, organizationId }, data: { revokedAt: now } });
  await recordAudit(scope, {
    action: 'api-key.revoke',
    targetType: 'api-key',
    targetId: key.id,
    before: apiKeyFacts(key),
    after: { reason },
  });
}
