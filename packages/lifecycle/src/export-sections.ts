// The sections of an organization's export, read from the database in pages. Columns are listed one by one, so that a
// new column (perhaps a secret) is not exported before someone decides so.
import { listCreditEntries } from '@penstock/billing';
import { agentKeyColumns, clusterColumns } from '@penstock/clusters';
import { apiKeyColumns, listMembers } from '@penstock/identity';
import { notFound } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';

export interface Page {
  items: readonly unknown[];
  /** The start of the next page; null at the end. */
  next: string | null;
}

type Read = (scope: Scope, after: string | null) => Promise<Page>;

const PAGE_SIZE = 1_000;
/** Fewer, because each invoice includes its lines. */
const INVOICES_PER_PAGE = 100;

const whole = (items: readonly unknown[]): Page => ({ items, next: null });

/** A page of objects that are ordered by id. */
function byId<T extends { id: string }>(items: T[], size = PAGE_SIZE): Page {
  return { items, next: items.length < size ? null : (items.at(-1)?.id ?? null) };
}

const behind = (after: string | null) => (after === null ? {} : { id: { gt: after } });

/** In the order of the document. */
export const sections: readonly (readonly [type: string, read: Read])[] = [
  ['member', async (scope) => whole(await listMembers(scope))],
  [
    'invitation',
    async ({ tx, organizationId }, after) =>
      byId(
        await tx.invitation.findMany({
          where: { organizationId, ...behind(after) },
          orderBy: { id: 'asc' },
          take: PAGE_SIZE,
          select: { id: true, email: true, role: true, status: true, createdAt: true, expiresAt: true, closedAt: true },
        }),
      ),
  ],
  [
    'cluster',
    async ({ tx, organizationId }) =>
      whole(
        await tx.virtualCluster.findMany({
          where: { organizationId },
          orderBy: { id: 'asc' },
          select: { ...clusterColumns, mode: true },
        }),
      ),
  ],
  [
    'agent-key',
    async ({ tx, organizationId }, after) =>
      byId(
        await tx.agentKey.findMany({
          where: { organizationId, ...behind(after) },
          orderBy: { id: 'asc' },
          take: PAGE_SIZE,
          select: { ...agentKeyColumns, clusterId: true },
        }),
      ),
  ],
  [
    'api-key',
    async ({ tx, organizationId }, after) =>
      byId(
        await tx.apiKey.findMany({
          where: { organizationId, ...behind(after) },
          orderBy: { id: 'asc' },
          take: PAGE_SIZE,
          select: apiKeyColumns,
        }),
      ),
  ],
  ['billing-account', async (scope) => whole(await readBillingAccount(scope))],
  [
    'invoice',
    async ({ tx, organizationId }, after) =>
      byId(
        await tx.invoice.findMany({
          where: { organizationId, ...behind(after) },
          orderBy: { id: 'asc' },
          take: INVOICES_PER_PAGE,
          omit: { stripeInvoiceId: true, hostedInvoiceUrl: true },
          include: { lines: { orderBy: { position: 'asc' }, omit: { invoiceId: true } } },
        }),
        INVOICES_PER_PAGE,
      ),
  ],
  ['credit', async (scope) => whole(await listCreditEntries(scope))],
  ['usage-hour', readUsage],
  [
    'event',
    async ({ tx, organizationId }, after) =>
      byId(
        await tx.clusterEvent.findMany({
          where: { organizationId, ...behind(after) },
          orderBy: { id: 'asc' },
          take: PAGE_SIZE,
          omit: { organizationId: true },
        }),
      ),
  ],
];

async function readBillingAccount({ tx, organizationId }: Scope): Promise<unknown[]> {
  const account = await tx.billingAccount.findUnique({
    where: { organizationId },
    select: {
      legalName: true,
      addressLine1: true,
      addressLine2: true,
      city: true,
      state: true,
      postalCode: true,
      country: true,
      taxIdType: true,
      taxId: true,
      billingEmail: true,
      paymentMethodLabel: true,
      standing: true,
      budgetUsd: true,
      capUsd: true,
      webhookUrl: true,
      createdAt: true,
    },
  });
  return account === null ? [] : [account];
}

/** Ordered by its key, cluster and hour. */
async function readUsage({ tx, organizationId }: Scope, after: string | null): Promise<Page> {
  const [clusterId = '', hour = ''] = after?.split(' ') ?? [];
  const items = await tx.usageHour.findMany({
    where: {
      organizationId,
      ...(after === null
        ? {}
        : { OR: [{ clusterId: { gt: clusterId } }, { clusterId, hour: { gt: new Date(hour) } }] }),
    },
    orderBy: [{ clusterId: 'asc' }, { hour: 'asc' }],
    take: PAGE_SIZE,
    omit: { organizationId: true },
  });
  const last = items.at(-1);
  const isEnd = last === undefined || items.length < PAGE_SIZE;
  return { items, next: isEnd ? null : `${last.clusterId} ${last.hour.toISOString()}` };
}

/** The organization itself, and its clusters that are not deleted. */
export async function readOrganizationFacts({ tx, organizationId }: Scope) {
  const organization = await tx.organization.findUnique({
    where: { id: organizationId },
    select: {
      id: true,
      name: true,
      slug: true,
      createdAt: true,
      deletedAt: true,
      clusters: { where: { deletedAt: null }, orderBy: { id: 'asc' }, select: { id: true } },
    },
  });
  if (organization === null) {
    throw notFound('organization');
  }
  const { clusters, ...facts } = organization;
  return { organization: facts, liveClusters: clusters };
}
