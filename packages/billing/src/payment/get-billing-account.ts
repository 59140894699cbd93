// How an organization pays and how it stands with us.
import type { Scope } from '@penstock/tenancy';
import { dayAfter, RESTRICTED_DAY, type Standing } from './dunning-rules.ts';

export interface FailedPayment {
  invoiceId: string;
  invoiceNumber: string;
  failingSince: Date;
  /** What the card's bank said; null for a transfer that is overdue. */
  reason: string | null;
  /** Stripe's page on which this invoice can be paid, e.g. when the bank wants a confirmation. */
  hostedInvoiceUrl: string | null;
  /** When no new clusters can be made any more. */
  restrictedFrom: Date;
}

export interface BillingAccount {
  legalName: string | null;
  addressLine1: string | null;
  addressLine2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
  taxIdType: string | null;
  taxId: string | null;
  /** Null: the owners are written to. */
  billingEmail: string | null;
  /** What is wrong with the details in Stripe's eyes, e.g. a tax id that does not exist; null: nothing known. */
  detailsProblem: string | null;
  /** e.g. `Visa ending 4242, expires 12/2030`; null: invoices are paid by transfer. */
  paymentMethodLabel: string | null;
  /** Whether cards are taken at all. */
  canPayByCard: boolean;
  /** past_due: say so on every page. restricted: no new clusters. */
  standing: Standing;
  standingSince: Date | null;
  /** Open invoices whose money did not come, oldest first. */
  failedPayments: FailedPayment[];
}

/** What Stripe said, without the type and code of the error before it. */
function sentenceOf(error: string | null): string | null {
  return error?.replace(/^\w+( \(\w+\))?: /, '') ?? null;
}

/** @param isStripeConfigured whether this program has Stripe's keys */
export async function getBillingAccount(
  { tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>,
  { isStripeConfigured }: { isStripeConfigured: boolean },
): Promise<BillingAccount> {
  const account = await tx.billingAccount.findUnique({ where: { organizationId } });
  const failures = await tx.paymentFailure.findMany({
    where: { organizationId, invoice: { status: 'open' } },
    orderBy: { failingSince: 'asc' },
    include: { invoice: { select: { number: true, hostedInvoiceUrl: true } } },
  });
  const lastUpdate = await tx.stripeCall.findFirst({
    where: { organizationId, operation: { in: ['customer.update', 'customer.set_tax_id'] } },
    orderBy: { id: 'desc' },
    select: { status: true, lastError: true },
  });
  return {
    legalName: account?.legalName ?? null,
    addressLine1: account?.addressLine1 ?? null,
    addressLine2: account?.addressLine2 ?? null,
    city: account?.city ?? null,
    state: account?.state ?? null,
    postalCode: account?.postalCode ?? null,
    country: account?.country ?? null,
    taxIdType: account?.taxIdType ?? null,
    taxId: account?.taxId ?? null,
    billingEmail: account?.billingEmail ?? null,
    detailsProblem: lastUpdate?.status === 'failed' ? sentenceOf(lastUpdate.lastError) : null,
    paymentMethodLabel: account?.paymentMethodLabel ?? null,
    canPayByCard: isStripeConfigured,
    standing: (account?.standing ?? 'good') as Standing,
    standingSince: account?.standingSince ?? null,
    failedPayments: failures.map(({ invoiceId, failingSince, reason, invoice }) => ({
      invoiceId,
      invoiceNumber: invoice.number,
      failingSince,
      reason,
      hostedInvoiceUrl: invoice.hostedInvoiceUrl,
      restrictedFrom: dayAfter(failingSince, RESTRICTED_DAY),
    })),
  };
}
