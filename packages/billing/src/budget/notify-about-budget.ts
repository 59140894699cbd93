// Sends each budget notification twice: by mail to the billing recipients, and to the organization's webhook if it has
// one. Both use outboxes, so they are sent if and only if the transaction commits.
import { type BillingAccountRow, queueMail, queueWebhook, type Scope, type WebhookEvent } from '@penstock/tenancy';
import { billingRecipients } from '../billing-account/billing-recipients.ts';

export interface BudgetNews {
  type: WebhookEvent;
  /** Structured data for programs. */
  data: Readonly<Record<string, string | number | null>>;
  /** @param name the organization's name */
  subject(name: string): string;
  text: string;
  webUrl: string | undefined;
}

export async function notifyAboutBudget(scope: Scope, account: BillingAccountRow, news: BudgetNews): Promise<void> {
  const { tx, organizationId, now } = scope;
  const { name } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true } });
  const link = news.webUrl === undefined ? null : `${news.webUrl}/app/billing`;
  const text = link === null ? news.text : `${news.text}\n\nView billing: ${link}`;
  for (const to of await billingRecipients(scope, account)) {
    await queueMail(tx, { to, subject: news.subject(name), text, link }, now);
  }
  if (account.webhookUrl !== null) {
    await queueWebhook(scope, { url: account.webhookUrl, type: news.type, data: news.data });
  }
}
