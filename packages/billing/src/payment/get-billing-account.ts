// How an organization pays, and its payment standing.
import type { Scope } from '@penstock/tenancy';
import { dayAfter, RESTRICTED_DAY, type Standing } from './dunning-rules.ts';

export interface FailedPayment {
  invoiceId: string;
  invoiceNumber: string;
  failingSince: Date;
  /** The bank's reason; null for an overdue transfer. */
  reason: string | null;
  /** Stripe's page for paying this invoice, e.g. if the bank requires a confirmation. */
  hostedInvoiceUrl: string | null;
  /** From when no new clusters can be created. */
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
  /** Null if the owners get the mails. */
  billingEmail: string | null;
  /** A problem with the details that Stripe reports, e.g. a tax id that does not exist; null if none is known. */
  detailsProblem: string | null;
  /** e.g. `Visa ending 4242, expires 12/2030`; null if invoices are paid by transfer. */
  paymentMethodLabel: string | null;
  /** Whether this installation accepts cards. */
  canPayByCard: boolean;
  /** past_due: every page shows it. restricted: no new clusters. */
  standing: Standing;
  standingSince: Date | null;
  /** Open invoices whose payment failed, oldest first. */
  failedPayments: FailedPayment[];
}

/** Stripe's message, without the error type and code before it. */
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
