// The calls that change something at Stripe, and the parameters that the outbox stores for each. These schemas are
// persisted: only add optional fields.
import { z } from 'zod';

const address = z.object({
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postalCode: z.string().nullable(),
  country: z.string().nullable(),
});

const customerDetails = z.object({ name: z.string(), email: z.string().nullable(), address });
const cents = z.int();
const invoiceId = z.uuid();
/** Seconds since the Unix epoch. */
const atS = z.int();

export const callParameters = {
  'customer.create': customerDetails,
  'customer.update': customerDetails,
  'customer.set_tax_id': z.object({ taxId: z.object({ type: z.string(), value: z.string() }).nullable() }),
  'customer.set_payment_method': z.object({ paymentMethodId: z.string(), setupAtS: atS }),
  'checkout_session.create': z.object({ successUrl: z.string(), cancelUrl: z.string() }),
  'portal_session.create': z.object({ returnUrl: z.string() }),
  'invoice.create': z.object({ invoiceId, number: z.string(), description: z.string() }),
  'invoice_item.create': z.object({
    invoiceId,
    position: z.int(),
    amountCents: cents,
    description: z.string(),
    periodStartS: atS,
    periodEndS: atS,
  }),
  'invoice.finalize': z.object({ invoiceId, totalCents: cents }),
  'invoice.pay': z.object({ invoiceId }),
  'credit_note.create': z.object({ invoiceId, creditNoteId: z.uuid(), amountCents: cents, memo: z.string() }),
} as const;

export type StripeOperation = keyof typeof callParameters;
export type CallParameters<Name extends StripeOperation> = z.infer<(typeof callParameters)[Name]>;

/** Parses an operation's name from the database. */
export function parseOperation(text: string): StripeOperation {
  if (!Object.hasOwn(callParameters, text)) {
    throw new Error(`The outbox holds an unknown call: ${text}`);
  }
  return text as StripeOperation;
}

/** Calls for pages that a user is waiting for. They are useless once that user has left. */
export const interactiveOperations: ReadonlySet<StripeOperation> = new Set([
  'checkout_session.create',
  'portal_session.create',
]);

const NOTHING = { customer: false, invoice: false } as const;
const CUSTOMER = { customer: true, invoice: false } as const;
const INVOICE = { customer: true, invoice: true } as const;
const needs = {
  'customer.create': NOTHING,
  'customer.update': CUSTOMER,
  'customer.set_tax_id': CUSTOMER,
  'customer.set_payment_method': CUSTOMER,
  'checkout_session.create': CUSTOMER,
  'portal_session.create': CUSTOMER,
  'invoice.create': CUSTOMER,
  'invoice_item.create': INVOICE,
  'invoice.finalize': INVOICE,
  'invoice.pay': INVOICE,
  'credit_note.create': INVOICE,
} as const satisfies Record<StripeOperation, { customer: boolean; invoice: boolean }>;
export type NeedsOf<Name extends StripeOperation> = (typeof needs)[Name];

/** Which Stripe ids a call needs. It waits until an earlier call has returned them. */
export function needsOf<Name extends StripeOperation>(operation: Name): NeedsOf<Name> {
  return needs[operation];
}
