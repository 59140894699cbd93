// Limits the keys that a person made to their new role: a key must not keep rights that its maker has lost.
import {
  isRoleWithin,
  type MailMessage,
  nameInMail,
  queueMail,
  type Role,
  recordAudit,
  type Scope,
} from '@penstock/tenancy';
import { type ApiKey, apiKeyFacts } from './api-key.ts';
import { activeKeysOfMaker } from './keys-of-maker.ts';
import { endKey } from './revoke-keys-of-maker.ts';

/**
 * Gives keys with more rights than the new role that role, so that their programs keep what it allows. A key for which
 * that would add a right, or that has a stronger role for a cluster, is revoked instead. The person gets one mail about all of them.
 */
export async function limitKeysOfMaker(
  scope: Scope,
  maker: { userId: string; email: string },
  role: Role,
): Promise<void> {
  const isStrongOnACluster = (key: ApiKey): boolean =>
    key.clusterRoles.some((entry) => !isRoleWithin(entry.role, role));
  const tooStrong = (await activeKeysOfMaker(scope, maker.userId)).filter(
    (key) => !isRoleWithin(key.role, role) || isStrongOnACluster(key),
  );
  const mayKeepRole = (key: ApiKey): boolean => isRoleWithin(role, key.role) && !isStrongOnACluster(key);
  const lowered = tooStrong.filter(mayKeepRole);
  const ended = tooStrong.filter((key) => !mayKeepRole(key));
  for (const key of lowered) {
    await lowerKey(scope, key, role);
  }
  for (const key of ended) {
    await endKey(scope, key, `Its role allowed more than the new role of its creator, ${role}.`);
  }
  if (tooStrong.length > 0) {
    const { name } = await scope.tx.organization.findUniqueOrThrow({
      where: { id: scope.organizationId },
      select: { name: true },
    });
    await queueMail(scope.tx, limitedKeysMail(maker.email, name, role, { lowered, ended }), scope.now);
  }
}

async function lowerKey(scope: Scope, key: ApiKey, role: Role): Promise<void> {
  const { tx, organizationId } = scope;
  await tx.apiKey.update({ where: { id: key.id, organizationId }, data: { role } });
  await recordAudit(scope, {
    action: 'api-key.lower-role',
    targetType: 'api-key',
    targetId: key.id,
    before: apiKeyFacts(key),
    after: { role, reason: 'The role of the person who created it was changed.' },
  });
}

function limitedKeysMail(
  to: string,
  organizationName: string,
  role: Role,
  { lowered, ended }: { lowered: readonly ApiKey[]; ended: readonly ApiKey[] },
): MailMessage {
  const organization = nameInMail(organizationName);
  const lines = [
    ...lowered.map(({ name }) => `- ${nameInMail(name)}: now has the role ${role}`),
    ...ended.map(({ name }) => `- ${nameInMail(name)}: revoked`),
  ];
  return {
    to,
    subject: `Your API keys in ${organization} were changed (Penstock)`,
    text: `Your role in ${organization} is now ${role}. API keys can’t have more rights than the person who created them, so these keys were changed:\n\n${lines.join('\n')}\n\nIf a program needs more rights, ask an owner or admin to create a key for it.\n`,
    link: null,
  };
}
