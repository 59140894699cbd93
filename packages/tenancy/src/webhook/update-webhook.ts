// Sets or removes the organization's webhook. Every new URL gets a new secret, so that the operator of the old one
// cannot forge our signature.
import type { SecretBox } from '@penstock/platform';
import type { Scope } from '../access/scope.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockBillingAccount } from '../billing-account/lock-billing-account.ts';
import type { WebhookPolicy } from './outbound-policy.ts';
import { sealWebhookSecret } from './webhook-secret.ts';
import { newWebhookSecret } from './webhook-signature.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/** Dependencies for setting and calling webhooks. */
export interface WebhookTools {
  policy: WebhookPolicy;
  secretBox: SecretBox;
}

export interface UpdatedWebhook {
  url: string | null;
  /** Shown only now; null when the webhook was removed. */
  secret: string | null;
}

/** @param input.url null removes it. @throws AppError `webhook_url_refused` */
export async function updateWebhook(
  scope: Scope,
  input: { url: string | null },
  { policy, secretBox }: WebhookTools,
): Promise<UpdatedWebhook> {
  const url = input.url === null ? null : checkWebhookUrl(input.url, policy).href;
  const secret = url === null ? null : newWebhookSecret();
  const sealed = secret === null ? null : sealWebhookSecret(secretBox, scope.organizationId, secret);
  const before = await lockBillingAccount(scope);
  await scope.tx.billingAccount.update({
    where: { organizationId: scope.organizationId },
    data: { webhookUrl: url, webhookSecret: sealed, updatedAt: scope.now },
  });
  await recordAudit(scope, {
    action: 'billing.update-webhook',
    targetType: 'organization',
    targetId: scope.organizationId,
    // Only the host: the paths of webhook URLs are often secrets.
    before: { webhookHost: hostIn(before.webhookUrl) },
    after: { webhookHost: hostIn(url) },
  });
  return { url, secret };
}

function hostIn(url: string | null): string | null {
  return url === null ? null : new URL(url).host;
}
