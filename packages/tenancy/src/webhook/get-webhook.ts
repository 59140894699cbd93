// The organization's webhook and its latest deliveries, for the settings page. The secret is shown only once, when
// created.
import type { Scope } from '../access/scope.ts';

export interface WebhookDeliveryRow {
  id: string;
  event: string;
  createdAt: Date;
  state: 'waiting' | 'delivered' | 'given up';
  attempts: number;
  lastError: string | null;
}

export interface Webhook {
  url: string | null;
  /** Newest first. */
  deliveries: WebhookDeliveryRow[];
}

const SHOWN_DELIVERIES = 10;

export async function getWebhook({ tx, organizationId }: Scope): Promise<Webhook> {
  const account = await tx.billingAccount.findUnique({ where: { organizationId }, select: { webhookUrl: true } });
  const rows = await tx.webhookDelivery.findMany({
    where: { organizationId },
    orderBy: { id: 'desc' },
    take: SHOWN_DELIVERIES,
    select: {
      id: true,
      event: true,
      createdAt: true,
      deliveredAt: true,
      failedAt: true,
      attempts: true,
      lastError: true,
    },
  });
  return {
    url: account?.webhookUrl ?? null,
    deliveries: rows.map(({ deliveredAt, failedAt, ...row }) => ({
      ...row,
      state: deliveredAt !== null ? 'delivered' : failedAt !== null ? 'given up' : 'waiting',
    })),
  };
}
