// The stored form of an organization's webhook secret.
import type { Database } from '@penstock/database/client';
import type { SecretBox, SecretPlace } from '@penstock/platform';

const placeOf = (organizationId: string): SecretPlace => ({
  column: 'billing_account.webhook_secret',
  row: organizationId,
});

export function sealWebhookSecret(box: SecretBox, organizationId: string, secret: string): string {
  return box.seal(placeOf(organizationId), secret);
}

/** @throws AppError `sealed_secret_unreadable` */
export function openWebhookSecret(box: SecretBox, organizationId: string, stored: string): string {
  return box.open(placeOf(organizationId), stored);
}

/** Seals all webhook secrets with the first root secret. @returns what was done, and the organizations that failed */
export async function resealWebhookSecrets(database: Database, box: SecretBox) {
  const done = { resealed: 0, unreadable: [] as string[] };
  for (const { organizationId, webhookSecret } of await database.billingAccount.findMany({
    where: { webhookSecret: { not: null } },
    select: { organizationId: true, webhookSecret: true },
  })) {
    if (webhookSecret === null || box.isCurrent(webhookSecret)) {
      continue;
    }
    let secret: string;
    try {
      secret = openWebhookSecret(box, organizationId, webhookSecret);
    } catch {
      done.unreadable.push(organizationId);
      continue;
    }
    // Leaves a secret alone that somebody has replaced meanwhile: the new one is sealed with the first root secret.
    const { count } = await database.billingAccount.updateMany({
      where: { organizationId, webhookSecret },
      data: { webhookSecret: sealWebhookSecret(box, organizationId, secret) },
    });
    done.resealed += count;
  }
  return done;
}
