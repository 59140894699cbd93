// The organization's webhook and its latest deliveries, for the settings page. The secret is shown only once, when
// created.
import type { Scope } from '../access/scope.ts';
import type { Slice } from '../paging/slice.ts';

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
  /** The deliveries, newest first. */
  deliveries: WebhookDeliveryRow[];
}

const SHOWN_DELIVERIES = 10;

export async function getWebhook({ tx, organizationId }: Scope): Promise<Webhook> {
  const account = await tx.billingAccount.findUnique({ where: { organizationId }, select: { webhookUrl: true } });
  return { url: account?.webhookUrl ?? null, deliveries: await listWebhookDeliveries({ tx, organizationId }) };
}

/** Newest first: ids are in the order of creation. @param slice undefined for the latest ten */
export async function listWebhookDeliveries(
  { tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>,
  slice?: Slice<readonly [string]>,
): Promise<WebhookDeliveryRow[]> {
  const [id] = slice?.after ?? [];
  const rows = await tx.webhookDelivery.findMany({
    where: { organizationId, ...(id === undefined ? {} : { id: { lt: id } }) },
    orderBy: { id: 'desc' },
    take: slice?.limit ?? SHOWN_DELIVERIES,
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
  return rows.map(({ deliveredAt, failedAt, ...row }) => ({
    ...row,
    state: deliveredAt !== null ? 'delivered' : failedAt !== null ? 'given up' : 'waiting',
  }));
}
