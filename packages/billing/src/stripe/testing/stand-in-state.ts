// The stand-in's state and its changes. It is stricter than Stripe in one way: asked to pay a paid invoice, it charges
// again, so that only our own code prevents a double charge.
import type { FormValue } from './form-body.ts';
import {
  type Charge,
  DECLINE_MESSAGE,
  DECLINING_LAST4,
  type StoredCreditNote,
  type StoredCustomer,
  type StoredDispute,
  type StoredInvoice,
  type StoredInvoiceItem,
  type StoredPaymentMethod,
  type StoredPortalSession,
  type StoredRefund,
  type StoredSession,
  type StoredTaxId,
} from './stand-in-objects.ts';

/** An error in the format of Stripe's API. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };

  constructor(status: number, error: { type: string; message: string; code?: string }) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

export function refusal(message: string, code = 'parameter_invalid'): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', code, message });
}

function missing(what: string, id: string): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
  });
}

/** Announces a change, with the current object. */
export type Announce = (type: string, object: Record<string, unknown>) => void;

export class StandInState {
  readonly customers = new Map<string, StoredCustomer>();
  readonly paymentMethods = new Map<string, StoredPaymentMethod>();
  readonly invoices = new Map<string, StoredInvoice>();
  readonly items = new Map<string, StoredInvoiceItem>();
  readonly sessions = new Map<string, StoredSession>();
  readonly taxIds = new Map<string, StoredTaxId>();
  readonly creditNotes = new Map<string, StoredCreditNote>();
  readonly portals = new Map<string, StoredPortalSession>();
  readonly charges: Charge[] = [];
  readonly refunds = new Map<string, StoredRefund>();
  readonly disputes = new Map<string, StoredDispute>();
  readonly clock: () => Date;
  readonly #announce: Announce;
  readonly #name: string;
  #ids = 0;

  constructor(name: string, clock: () => Date, announce: Announce) {
    this.#name = name;
    this.clock = clock;
    this.#announce = announce;
  }

  newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#name}${String(this.#ids).padStart(6, '0')}`;
  }

  get nowS(): number {
    return Math.floor(this.clock().getTime() / 1000);
  }

  customer(id: string): StoredCustomer {
    const found = this.customers.get(id);
    if (found === undefined) {
      throw missing('customer', id);
    }
    return found;
  }

  invoice(id: string): StoredInvoice {
    const found = this.invoices.get(id);
    if (found === undefined) {
      throw missing('invoice', id);
    }
    return found;
  }

  session(id: string): StoredSession {
    const found = this.sessions.get(id);
    if (found === undefined) {
      throw missing('checkout.session', id);
    }
    return found;
  }

  charge(id: string): Charge {
    const found = this.charges.find((charge) => charge.id === id);
    if (found === undefined) {
      throw missing('charge', id);
    }
    return found;
  }

  itemsOf(invoiceId: string): StoredInvoiceItem[] {
    return [...this.items.values()].filter((item) => item.invoice === invoiceId);
  }

  totalOf(invoice: StoredInvoice): number {
    return this.itemsOf(invoice.id).reduce((sum, item) => sum + item.amount, 0) - invoice.credited;
  }

  /** An invoice as the API returns it. */
  showInvoice(invoice: StoredInvoice, origin: string): Record<string, unknown> {
    const { credited, lastFailure, ...shown } = invoice;
    const total = this.totalOf(invoice);
    const intent = {
      id: `pi_${invoice.id}`,
      object: 'payment_intent',
      status: 'requires_payment_method',
      last_payment_error: { message: lastFailure },
    };
    return {
      ...shown,
      currency: 'usd',
      livemode: false,
      total: total + credited,
      amount_due: total,
      amount_remaining: Math.max(0, total - invoice.amount_paid),
      auto_advance: false,
      collection_method: 'charge_automatically',
      hosted_invoice_url: invoice.status === 'draft' ? null : `${origin}/i/${invoice.id}`,
      payments: {
        object: 'list',
        data:
          lastFailure === null
            ? []
            : [{ object: 'invoice_payment', payment: { type: 'payment_intent', payment_intent: intent } }],
      },
    };
  }

  addPaymentMethod(customer: string, last4: string): StoredPaymentMethod {
    const method: StoredPaymentMethod = {
      id: this.newId('pm'),
      object: 'payment_method',
      type: 'card',
      created: this.nowS,
      customer,
      card: { brand: 'visa', last4, exp_month: 12, exp_year: 2034, fingerprint: `fp_${last4}` },
    };
    this.paymentMethods.set(method.id, method);
    this.#announce('payment_method.attached', { ...method });
    return method;
  }

  /** A user enters a card on the Checkout page. */
  completeSession(session: StoredSession, last4: string): void {
    if (session.status === 'complete') {
      return;
    }
    session.status = 'complete';
    session.paymentMethod = this.addPaymentMethod(session.customer, last4).id;
    this.#announce('checkout.session.completed', {
      id: session.id,
      object: session.object,
      customer: session.customer,
    });
    this.#announce('setup_intent.succeeded', {
      id: `seti_${session.id}`,
      object: 'setup_intent',
      customer: session.customer,
    });
  }

  setDefaultMethod(customer: StoredCustomer, paymentMethodId: string): void {
    if (this.paymentMethods.get(paymentMethodId)?.customer !== customer.id) {
      throw missing('PaymentMethod', paymentMethodId);
    }
    customer.invoice_settings.default_payment_method = paymentMethodId;
    this.#announce('customer.updated', { ...customer });
  }

  finalize(invoice: StoredInvoice, origin: string): void {
    if (invoice.status !== 'draft') {
      throw refusal('This invoice is already finalized.', 'invoice_not_editable');
    }
    invoice.status = 'open';
    this.#announce('invoice.finalized', this.showInvoice(invoice, origin));
  }

  /** Charges the card. Charges it twice if asked twice. */
  pay(invoice: StoredInvoice, origin: string): void {
    if (invoice.status === 'draft') {
      throw refusal('This invoice is still a draft.', 'invoice_not_editable');
    }
    const customer = this.customer(invoice.customer);
    const methodId = customer.invoice_settings.default_payment_method;
    const method = methodId === null ? undefined : this.paymentMethods.get(methodId);
    if (method === undefined) {
      throw refusal('This customer has no default payment method.', 'resource_missing');
    }
    // Stripe counts the first attempt and its own retries, not ours.
    invoice.attempt_count = Math.max(invoice.attempt_count, 1);
    invoice.attempted = true;
    if (method.card.last4 === DECLINING_LAST4) {
      invoice.lastFailure = DECLINE_MESSAGE;
      this.#announce('invoice.payment_failed', this.showInvoice(invoice, origin));
      throw new ApiError(402, { type: 'card_error', code: 'card_declined', message: DECLINE_MESSAGE });
    }
    const amount = this.totalOf(invoice);
    this.charges.push({
      id: this.newId('ch'),
      stripeInvoiceId: invoice.id,
      customer: customer.id,
      amount,
      paymentMethod: method.id,
      at: this.clock(),
    });
    invoice.amount_paid += amount;
    invoice.status = 'paid';
    this.#announce('invoice.paid', this.showInvoice(invoice, origin));
    this.#announce('invoice.payment_succeeded', this.showInvoice(invoice, origin));
  }

  /** Refunds a charge, as on Stripe's dashboard. */
  refund(charge: Charge, amount = charge.amount, status: StoredRefund['status'] = 'succeeded'): StoredRefund {
    const refund: StoredRefund = {
      id: this.newId('re'),
      object: 'refund',
      charge: charge.id,
      created: this.nowS,
      amount,
      status,
    };
    this.refunds.set(refund.id, refund);
    this.#announce('refund.created', { ...refund });
    if (status === 'succeeded') {
      this.#announce('charge.refunded', showCharge(charge));
    }
    return refund;
  }

  /** The bank's later status of a refund. */
  moveRefund(refund: StoredRefund, status: StoredRefund['status']): void {
    refund.status = status;
    this.#announce(status === 'failed' ? 'refund.failed' : 'refund.updated', { ...refund });
  }

  /** A dispute by the cardholder's bank. */
  dispute(charge: Charge, status: StoredDispute['status'] = 'needs_response', amount = charge.amount): StoredDispute {
    const dispute: StoredDispute = {
      id: this.newId('dp'),
      object: 'dispute',
      charge: charge.id,
      created: this.nowS,
      amount,
      status,
    };
    this.disputes.set(dispute.id, dispute);
    this.#announce('charge.dispute.created', { ...dispute });
    return dispute;
  }

  moveDispute(dispute: StoredDispute, status: StoredDispute['status']): void {
    dispute.status = status;
    const isOver = status === 'won' || status === 'lost';
    this.#announce(`charge.dispute.${isOver ? 'closed' : 'updated'}`, { ...dispute });
  }
}

/** A charge as the API returns it. */
export function showCharge({ id, customer, amount }: Charge): Record<string, unknown> {
  return { id, object: 'charge', customer, amount, currency: 'usd', payment_intent: `pi_${id}` };
}

export function text(value: FormValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function textMap(value: FormValue | undefined): Record<string, string> {
  if (typeof value !== 'object' || Array.isArray(value)) {
    return {};
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, text(inner)]));
}
