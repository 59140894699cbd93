// The current state of objects at Stripe, in our terms. Events only say that something changed; these readings say what
// it is now.
import type Stripe from 'stripe';

export interface InvoiceReading {
  id: string;
  /** The payer; undefined on an invoice without a customer. */
  stripeCustomerId: string | undefined;
  /** Our own id, from the metadata; undefined on invoices that we did not create. */
  invoiceId: string | undefined;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  totalCents: number;
  amountPaidCents: number;
  /** Whether a charge was attempted. */
  wasAttempted: boolean;
  /** Why the last charge failed, for people. */
  failure: string | undefined;
  hostedInvoiceUrl: string | undefined;
  /** Whether a charge with an open outcome is under way, e.g. a bank debit. */
  isPaymentUnderWay: boolean;
}

export interface PaymentMethodReading {
  id: string;
  label: string;
  /** Identifies a card regardless of the customer; undefined for methods without one. */
  fingerprint: string | undefined;
}

export interface CustomerReading {
  id: string;
  isDeleted: boolean;
  /** The payment method for invoices. */
  paymentMethod: PaymentMethodReading | undefined;
}

/** The result of a completed Checkout session in setup mode. */
export interface SetupReading {
  stripeCustomerId: string;
  paymentMethodId: string;
  /** When the session was started, in seconds since the Unix epoch. */
  createdAtS: number;
}

const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}

function toInvoiceReading(invoice: Stripe.Invoice): InvoiceReading {
  const status = invoiceStatuses.find((candidate) => candidate === invoice.status);
  if (status === undefined) {
    throw new Error(`Stripe's invoice ${invoice.id} has an unknown status: ${invoice.status}`);
  }
  const intents = (invoice.payments?.data ?? []).flatMap(({ payment: { payment_intent: intent } }) =>
    typeof intent === 'object' && intent !== null ? [intent] : [],
  );
  return {
    id: invoice.id,
    stripeCustomerId: idOf(invoice.customer),
    invoiceId: invoice.metadata?.['penstock_invoice'],
    status,
    totalCents: invoice.total,
    amountPaidCents: invoice.amount_paid,
    wasAttempted: invoice.attempted,
    failure: intents.map((intent) => intent.last_payment_error?.message).find((message) => message !== undefined),
    hostedInvoiceUrl: invoice.hosted_invoice_url ?? undefined,
    isPaymentUnderWay: intents.some((intent) => intent.status === 'processing'),
  };
}

export async function readInvoice(client: Stripe, id: string): Promise<InvoiceReading> {
  return toInvoiceReading(await client.invoices.retrieve(id, { expand: ['payments.data.payment.payment_intent'] }));
}

/** `Visa ending 4242, expires 12/2030`. */
function labelOf(method: Stripe.PaymentMethod): string {
  if (method.card === undefined) {
    return method.type.replaceAll('_', ' ');
  }
  const { brand, last4, exp_month: month, exp_year: year } = method.card;
  const name = `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)}`;
  return `${name} ending ${last4}, expires ${String(month).padStart(2, '0')}/${year}`;
}

function fingerprintOf({
  card,
  us_bank_account: bankAccount,
  sepa_debit: sepa,
}: Stripe.PaymentMethod): string | undefined {
  return card?.fingerprint ?? bankAccount?.fingerprint ?? sepa?.fingerprint ?? undefined;
}

export async function readCustomer(client: Stripe, id: string): Promise<CustomerReading> {
  const customer = await client.customers.retrieve(id, { expand: ['invoice_settings.default_payment_method'] });
  if (customer.deleted === true) {
    return { id, isDeleted: true, paymentMethod: undefined };
  }
  const method = customer.invoice_settings.default_payment_method;
  return {
    id,
    isDeleted: false,
    paymentMethod:
      method === null || typeof method === 'string'
        ? undefined
        : { id: method.id, label: labelOf(method), fingerprint: fingerprintOf(method) },
  };
}

export async function readSetup(client: Stripe, sessionId: string): Promise<SetupReading | undefined> {
  const session = await client.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent'] });
  const intent = session.setup_intent;
  if (session.status !== 'complete' || intent === null || typeof intent === 'string') {
    return undefined;
  }
  const stripeCustomerId = idOf(session.customer);
  const paymentMethodId = idOf(intent.payment_method);
  if (intent.status !== 'succeeded' || stripeCustomerId === undefined || paymentMethodId === undefined) {
    return undefined;
  }
  return { stripeCustomerId, paymentMethodId, createdAtS: session.created };
}
