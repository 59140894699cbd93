// The calls to Stripe: how each is sent, and how the effect of an earlier attempt is found. Objects that we create
// carry our key in their metadata. We find them in lists, which are immediately consistent; only customers need a
// search.
import Stripe from 'stripe';
import { type CallParameters, callParameters, type NeedsOf, needsOf, type StripeOperation } from './call-parameters.ts';
import { readInvoice } from './readings.ts';
import { StripeRefusal } from './stripe-failure.ts';

export interface CallContext {
  /** Our idempotency key for the call, stored permanently. */
  key: string;
  organizationId: string;
  /** Null while there is none. A call that needs it is refused: see `needsOf`. */
  stripeCustomerId: string | null;
  stripeInvoiceId: string | null;
}

type Common = Pick<CallContext, 'key' | 'organizationId'>;
/** The context of a call with this name: only the ids that it needs. */
type ContextOf<Name extends StripeOperation> = Common &
  (NeedsOf<Name>['customer'] extends true ? { stripeCustomerId: string } : unknown) &
  (NeedsOf<Name>['invoice'] extends true ? { stripeInvoiceId: string } : unknown);

/** @throws StripeRefusal `missing_id` */
function contextOf<Name extends StripeOperation>(operation: Name, context: CallContext): ContextOf<Name> {
  const { customer, invoice } = needsOf(operation);
  for (const [what, isNeeded, id] of [
    ['customer', customer, context.stripeCustomerId],
    ['invoice', invoice, context.stripeInvoiceId],
  ] as const) {
    if (isNeeded && id === null) {
      throw new StripeRefusal(`${operation} needs the id of Stripe's ${what}: not sent`, 'missing_id', undefined);
    }
  }
  // Checked above; the compiler does not follow the table.
  return context as unknown as ContextOf<Name>;
}

export interface CallOutcome {
  /** The id of the created or changed object. */
  resultId: string;
  /** Where to send the user: Checkout, the portal, or an invoice's page. */
  url?: string | undefined;
  /** Why the card was not charged, for people. This is a valid answer, and final for this attempt. */
  declined?: string | undefined;
}

type Send<Name extends StripeOperation> = (
  client: Stripe,
  parameters: CallParameters<Name>,
  context: ContextOf<Name>,
) => Promise<CallOutcome>;
type Find<Name extends StripeOperation> = (
  client: Stripe,
  parameters: CallParameters<Name>,
  context: ContextOf<Name>,
) => Promise<CallOutcome | undefined>;

const KEY_FIELD = 'penstock_key';

function metadataOf(context: Common): Record<string, string> {
  return { [KEY_FIELD]: context.key, penstock_organization: context.organizationId };
}

function options(context: Common): Stripe.RequestOptions {
  return { idempotencyKey: context.key };
}

function customerFields(parameters: CallParameters<'customer.create'>) {
  const { line1, line2, city, state, postalCode, country } = parameters.address;
  const isEmpty = [line1, line2, city, state, postalCode, country].every((part) => part === null);
  return {
    name: parameters.name,
    email: parameters.email ?? '',
    address: isEmpty
      ? ('' as const)
      : {
          line1: line1 ?? '',
          line2: line2 ?? '',
          city: city ?? '',
          state: state ?? '',
          postal_code: postalCode ?? '',
          country: country ?? '',
        },
  };
}

/** The first object in a paged list that carries the key of this call. */
async function firstWithKey<T extends { id: string; metadata: Stripe.Metadata | null }>(
  list: AsyncIterable<T>,
  context: Common,
): Promise<T | undefined> {
  for await (const item of list) {
    if (item.metadata?.[KEY_FIELD] === context.key) {
      return item;
    }
  }
  return undefined;
}

/**
 * The reason if a refused payment is about the payment method: that is final for this attempt, and the customer can act
 * on it.
 */
function declinedBecause(error: unknown): string | undefined {
  if (error instanceof Stripe.errors.StripeCardError) {
    return error.message;
  }
  // No payment method, or the invoice has been settled meanwhile. The next reading of the invoice shows which.
  const isAnswer = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;
  return isAnswer ? 'There is no payment method that could be charged.' : undefined;
}

/** For idempotent calls, which need no search. */
const repeatsSafely = (): Promise<undefined> => Promise.resolve(undefined);

const PAGE_SIZE = 100;

const senders: { [Name in StripeOperation]: Send<Name> } = {
  'customer.create': async (client, parameters, context) => {
    const { email, address, name } = customerFields(parameters);
    const customer = await client.customers.create(
      {
        name,
        ...(email === '' ? {} : { email }),
        ...(address === '' ? {} : { address }),
        metadata: metadataOf(context),
      },
      options(context),
    );
    return { resultId: customer.id };
  },
  'customer.update': async (client, parameters, context) => {
    await client.customers.update(context.stripeCustomerId, customerFields(parameters), options(context));
    return { resultId: context.stripeCustomerId };
  },
  'customer.set_tax_id': async (client, { taxId }, context) => {
    const known: Stripe.TaxId[] = [];
    for await (const item of client.customers.listTaxIds(context.stripeCustomerId, { limit: PAGE_SIZE })) {
      known.push(item);
    }
    const isWanted = (item: Stripe.TaxId) => item.type === taxId?.type && item.value === taxId.value;
    let wanted = known.find(isWanted);
    if (taxId !== null) {
      wanted ??= await client.customers.createTaxId(context.stripeCustomerId, taxId, options(context));
    }
    for (const item of known) {
      if (item.id !== wanted?.id) {
        await client.customers.deleteTaxId(context.stripeCustomerId, item.id);
      }
    }
    return { resultId: wanted?.id ?? context.stripeCustomerId };
  },
  'customer.set_payment_method': async (client, { paymentMethodId }, context) => {
    await client.customers.update(
      context.stripeCustomerId,
      { invoice_settings: { default_payment_method: paymentMethodId } },
      options(context),
    );
    return { resultId: paymentMethodId };
  },
  'checkout_session.create': async (client, { successUrl, cancelUrl }, context) => {
    const session = await client.checkout.sessions.create(
      {
        mode: 'setup',
        customer: context.stripeCustomerId,
        payment_method_types: ['card'],
        success_url: successUrl,
        cancel_url: cancelUrl,
        metadata: metadataOf(context),
      },
      options(context),
    );
    return { resultId: session.id, url: session.url ?? undefined };
  },
  'portal_session.create': async (client, { returnUrl }, context) => {
    const session = await client.billingPortal.sessions.create(
      { customer: context.stripeCustomerId, return_url: returnUrl },
      options(context),
    );
    return { resultId: session.id, url: session.url };
  },
  'invoice.create': async (client, { invoiceId, number, description }, context) => {
    const invoice = await client.invoices.create(
      {
        customer: context.stripeCustomerId,
        number,
        description,
        currency: 'usd',
        // We control the lines, the time and the retries; Stripe only collects.
        auto_advance: false,
        collection_method: 'charge_automatically',
        pending_invoice_items_behavior: 'exclude',
        metadata: { ...metadataOf(context), penstock_invoice: invoiceId },
      },
      options(context),
    );
    return { resultId: invoice.id };
  },
  'invoice_item.create': async (client, parameters, context) => {
    const item = await client.invoiceItems.create(
      {
        customer: context.stripeCustomerId,
        invoice: context.stripeInvoiceId,
        amount: parameters.amountCents,
        currency: 'usd',
        description: parameters.description,
        period: { start: parameters.periodStartS, end: parameters.periodEndS },
        metadata: metadataOf(context),
      },
      options(context),
    );
    return { resultId: item.id };
  },
  'invoice.finalize': async (client, { totalCents }, context) => {
    const draft = await client.invoices.retrieve(context.stripeInvoiceId);
    // Guarantees that nobody is charged a sum other than our own invoice's.
    if (draft.total !== totalCents) {
      throw new StripeRefusal(
        `Stripe's invoice ${draft.id} sums to ${draft.total} cents and ours to ${totalCents}: not finalized`,
        'total_mismatch',
        undefined,
      );
    }
    const invoice = await client.invoices.finalizeInvoice(draft.id, { auto_advance: false }, options(context));
    return { resultId: invoice.id, url: invoice.hosted_invoice_url ?? undefined };
  },
  'invoice.pay': async (client, _parameters, context) => {
    try {
      const invoice = await client.invoices.pay(context.stripeInvoiceId, { off_session: true }, options(context));
      return { resultId: invoice.id };
    } catch (error) {
      const declined = declinedBecause(error);
      if (declined === undefined) {
        throw error;
      }
      return { resultId: context.stripeInvoiceId, declined };
    }
  },
  'credit_note.create': async (client, { creditNoteId, amountCents, memo }, context) => {
    const note = await client.creditNotes.create(
      {
        invoice: context.stripeInvoiceId,
        amount: amountCents,
        memo,
        metadata: { ...metadataOf(context), penstock_credit_note: creditNoteId },
      },
      options(context),
    );
    return { resultId: note.id };
  },
};

const finders: { [Name in StripeOperation]: Find<Name> } = {
  'customer.create': async (client, _parameters, context) => {
    const { data } = await client.customers.search({ query: `metadata['${KEY_FIELD}']:'${context.key}'`, limit: 1 });
    return data[0] === undefined ? undefined : { resultId: data[0].id };
  },
  'customer.update': repeatsSafely,
  'customer.set_tax_id': repeatsSafely,
  'customer.set_payment_method': repeatsSafely,
  // A second, unused page does no harm.
  'checkout_session.create': repeatsSafely,
  'portal_session.create': repeatsSafely,
  'invoice.create': async (client, _parameters, context) => {
    const list = client.invoices.list({ customer: context.stripeCustomerId, limit: PAGE_SIZE });
    const invoice = await firstWithKey(list, context);
    return invoice === undefined ? undefined : { resultId: invoice.id };
  },
  'invoice_item.create': async (client, _parameters, context) => {
    const list = client.invoiceItems.list({ invoice: context.stripeInvoiceId, limit: PAGE_SIZE });
    const item = await firstWithKey(list, context);
    return item === undefined ? undefined : { resultId: item.id };
  },
  'invoice.finalize': async (client, _parameters, context) => {
    const invoice = await client.invoices.retrieve(context.stripeInvoiceId);
    if (invoice.status === 'draft') {
      return undefined;
    }
    return { resultId: invoice.id, url: invoice.hosted_invoice_url ?? undefined };
  },
  'invoice.pay': async (client, _parameters, context) => {
    const invoice = await readInvoice(client, context.stripeInvoiceId);
    // Open with no payment under way: no attempt has moved money, so a new one cannot move it twice.
    return invoice.status === 'open' && !invoice.isPaymentUnderWay ? undefined : { resultId: invoice.id };
  },
  'credit_note.create': async (client, _parameters, context) => {
    const list = client.creditNotes.list({ invoice: context.stripeInvoiceId, limit: PAGE_SIZE });
    const note = await firstWithKey(list, context);
    return note === undefined ? undefined : { resultId: note.id };
  },
};

/** Sends a call. Parameters are those stored in the outbox. */
export async function sendOperation<Name extends StripeOperation>(
  client: Stripe,
  operation: Name,
  parameters: unknown,
  context: CallContext,
): Promise<CallOutcome> {
  const parsed = callParameters[operation].parse(parameters) as CallParameters<Name>;
  return await senders[operation](client, parsed, contextOf(operation, context));
}

/** Looks for the effect of an earlier attempt. */
export async function findEffect<Name extends StripeOperation>(
  client: Stripe,
  operation: Name,
  parameters: unknown,
  context: CallContext,
): Promise<CallOutcome | undefined> {
  const parsed = callParameters[operation].parse(parameters) as CallParameters<Name>;
  return await finders[operation](client, parsed, contextOf(operation, context));
}
