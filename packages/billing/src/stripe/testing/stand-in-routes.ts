// The stand-in's endpoints: only those that the product uses.
import type { FormValue } from './form-body.ts';
import type { StoredCustomer, StoredInvoice, StoredInvoiceItem, StoredSession } from './stand-in-objects.ts';
import { ApiError, refusal, type StandInState, showCharge, text, textMap } from './stand-in-state.ts';

type Values = Readonly<Record<string, FormValue>>;
type Shown = Record<string, unknown>;

export interface RouteContext {
  state: StandInState;
  /** The origin of the pages: Checkout, portal, invoices. */
  origin: string;
}

/** Data becomes searchable some time after it was written. */
const SEARCH_LAG_S = 60;

function list(url: string, data: Shown[]): Shown {
  return { object: 'list', url, has_more: false, data };
}

function readDetails(customer: StoredCustomer, values: Values): void {
  if (values['name'] !== undefined) {
    customer.name = text(values['name']);
  }
  if (values['email'] !== undefined) {
    customer.email = text(values['email']) || null;
  }
  if (values['address'] !== undefined) {
    customer.address = values['address'] === '' ? null : textMap(values['address']);
  }
}

function showCustomer(state: StandInState, customer: StoredCustomer): Shown {
  const id = customer.invoice_settings.default_payment_method;
  const method = id === null ? null : (state.paymentMethods.get(id) ?? null);
  return { ...customer, livemode: false, invoice_settings: { default_payment_method: method } };
}

function showSession(session: StoredSession): Shown {
  const { paymentMethod, ...shown } = session;
  return {
    ...shown,
    mode: 'setup',
    setup_intent:
      paymentMethod === null
        ? null
        : { id: `seti_${session.id}`, object: 'setup_intent', status: 'succeeded', payment_method: paymentMethod },
  };
}

function createCustomer({ state }: RouteContext, values: Values): Shown {
  const customer: StoredCustomer = {
    id: state.newId('cus'),
    object: 'customer',
    created: state.nowS,
    name: null,
    email: null,
    address: null,
    metadata: textMap(values['metadata']),
    invoice_settings: { default_payment_method: null },
  };
  readDetails(customer, values);
  state.customers.set(customer.id, customer);
  return showCustomer(state, customer);
}

function updateCustomer({ state }: RouteContext, values: Values, id: string): Shown {
  const customer = state.customer(id);
  readDetails(customer, values);
  const method = textMap(values['invoice_settings'])['default_payment_method'];
  if (method !== undefined) {
    state.setDefaultMethod(customer, method);
  }
  return showCustomer(state, customer);
}

function searchCustomers({ state }: RouteContext, values: Values): Shown {
  const query = /^metadata\['(\w+)'\]:'([^']+)'$/.exec(text(values['query']));
  if (query === null) {
    throw refusal('This query is not understood.');
  }
  const [, field = '', wanted = ''] = query;
  const found = [...state.customers.values()].filter(
    (customer) => customer.metadata[field] === wanted && customer.created + SEARCH_LAG_S <= state.nowS,
  );
  return { object: 'search_result', has_more: false, data: found.map((customer) => showCustomer(state, customer)) };
}

function createSession({ state, origin }: RouteContext, values: Values): Shown {
  const customer = state.customer(text(values['customer']));
  const id = state.newId('cs_test');
  const session: StoredSession = {
    id,
    object: 'checkout.session',
    created: state.nowS,
    customer: customer.id,
    status: 'open',
    url: `${origin}/checkout/${id}`,
    success_url: text(values['success_url']),
    cancel_url: text(values['cancel_url']),
    metadata: textMap(values['metadata']),
    paymentMethod: null,
  };
  state.sessions.set(id, session);
  return showSession(session);
}

function createPortal({ state, origin }: RouteContext, values: Values): Shown {
  const customer = state.customer(text(values['customer']));
  const id = state.newId('bps');
  const portal = { id, customer: customer.id, url: `${origin}/portal/${id}`, return_url: text(values['return_url']) };
  state.portals.set(id, portal);
  return { ...portal, object: 'billing_portal.session' };
}

function createInvoice({ state, origin }: RouteContext, values: Values): Shown {
  const customer = state.customer(text(values['customer']));
  if (values['auto_advance'] !== 'false') {
    throw refusal('This stand-in charges nobody on its own: auto_advance has to be false.');
  }
  const number = text(values['number']);
  if ([...state.invoices.values()].some((invoice) => invoice.number === number)) {
    throw refusal(`The number ${number} is taken.`, 'invoice_number_taken');
  }
  const invoice: StoredInvoice = {
    id: state.newId('in'),
    object: 'invoice',
    created: state.nowS,
    customer: customer.id,
    number,
    status: 'draft',
    metadata: textMap(values['metadata']),
    attempted: false,
    attempt_count: 0,
    amount_paid: 0,
    credited: 0,
    lastFailure: null,
  };
  state.invoices.set(invoice.id, invoice);
  return state.showInvoice(invoice, origin);
}

/** The limit of Stripe (https://docs.stripe.com/changelog/2016-02-22/no-more-than-250-invoice-items). */
const MOST_ITEMS = 250;

function createItem({ state }: RouteContext, values: Values): Shown {
  const invoice = state.invoice(text(values['invoice']));
  if (invoice.status !== 'draft') {
    throw refusal('This invoice is final.', 'invoice_not_editable');
  }
  if (state.itemsOf(invoice.id).length >= MOST_ITEMS) {
    throw refusal(`An invoice has at most ${MOST_ITEMS} items.`);
  }
  const item: StoredInvoiceItem = {
    id: state.newId('ii'),
    object: 'invoiceitem',
    invoice: invoice.id,
    customer: invoice.customer,
    amount: Number(text(values['amount'])),
    description: text(values['description']),
    metadata: textMap(values['metadata']),
  };
  state.items.set(item.id, item);
  return { ...item };
}

function createCreditNote({ state }: RouteContext, values: Values): Shown {
  const invoice = state.invoice(text(values['invoice']));
  const amount = Number(text(values['amount']));
  if (invoice.status !== 'open' || amount > state.totalOf(invoice)) {
    throw refusal('That much is not open on this invoice.');
  }
  const note = {
    id: state.newId('cn'),
    object: 'credit_note' as const,
    invoice: invoice.id,
    amount,
    metadata: textMap(values['metadata']),
  };
  state.creditNotes.set(note.id, note);
  invoice.credited += amount;
  if (state.totalOf(invoice) === 0) {
    invoice.status = 'paid';
  }
  return { ...note };
}

function createTaxId({ state }: RouteContext, values: Values, customer: string): Shown {
  const value = text(values['value']);
  if (!/^[A-Z0-9 .-]{4,20}$/.test(value)) {
    throw refusal('Invalid value for this type of tax id.', 'tax_id_invalid');
  }
  const taxId = { id: state.newId('txi'), object: 'tax_id' as const, customer, type: text(values['type']), value };
  state.taxIds.set(taxId.id, taxId);
  return { ...taxId };
}

/** The reversals of one charge, or of all charges since a time. */
function listReversals<T extends { charge: string; created: number }>(
  path: string,
  all: ReadonlyMap<string, T>,
  values: Values,
): Shown {
  const { charge, created } = values;
  const sinceS = Number(textMap(created)['gte'] ?? 0);
  const isWanted = (item: T): boolean => (charge === undefined || item.charge === charge) && item.created >= sinceS;
  return list(
    path,
    [...all.values()].filter(isWanted).map((item) => ({ ...item })),
  );
}

/** The payments of an intent. Here each charge has its own intent, which pays one invoice. */
function listPayments({ state }: RouteContext, path: string, values: Values): Shown {
  const intent = textMap(values['payment'])['payment_intent'];
  const charges = state.charges.filter((charge) => showCharge(charge)['payment_intent'] === intent);
  return list(
    path,
    charges.map(({ id, stripeInvoiceId }) => ({
      id: `inpay_${id}`,
      object: 'invoice_payment',
      invoice: stripeInvoiceId,
      status: 'paid',
    })),
  );
}

/** Answers a request that has passed the checks. */
export function answer(context: RouteContext, method: string, path: string, values: Values): Shown {
  const { state, origin } = context;
  const [, , resource = '', id = '', action = '', innerId = ''] = path.split('/');
  switch (`${method} ${resource}${action === '' ? '' : `/${action}`}`) {
    case 'POST customers':
      return id === '' ? createCustomer(context, values) : updateCustomer(context, values, id);
    case 'GET customers':
      return id === 'search' ? searchCustomers(context, values) : showCustomer(state, state.customer(id));
    case 'GET customers/tax_ids':
      return list(
        path,
        [...state.taxIds.values()].filter((item) => item.customer === id).map((item) => ({ ...item })),
      );
    case 'POST customers/tax_ids':
      return createTaxId(context, values, state.customer(id).id);
    case 'DELETE customers/tax_ids':
      state.taxIds.delete(innerId);
      return { id: innerId, object: 'tax_id', deleted: true };
    case 'POST checkout':
      return createSession(context, values);
    case `GET checkout/${action}`:
      return showSession(state.session(action));
    case 'POST billing_portal':
      return createPortal(context, values);
    case 'GET invoices':
      if (id !== '') {
        return state.showInvoice(state.invoice(id), origin);
      }
      return list(
        path,
        [...state.invoices.values()]
          .filter((invoice) => invoice.customer === values['customer'])
          .map((invoice) => state.showInvoice(invoice, origin)),
      );
    case 'POST invoices':
      return createInvoice(context, values);
    case 'POST invoices/finalize':
      state.finalize(state.invoice(id), origin);
      return state.showInvoice(state.invoice(id), origin);
    case 'POST invoices/pay':
      state.pay(state.invoice(id), origin);
      return state.showInvoice(state.invoice(id), origin);
    case 'POST invoiceitems':
      return createItem(context, values);
    case 'GET invoiceitems':
      return list(
        path,
        state.itemsOf(text(values['invoice'])).map((item) => ({ ...item })),
      );
    case 'GET charges':
      return showCharge(state.charge(id));
    case 'GET refunds':
      return listReversals(path, state.refunds, values);
    case 'GET disputes':
      return listReversals(path, state.disputes, values);
    case 'GET invoice_payments':
      return listPayments(context, path, values);
    case 'POST credit_notes':
      return createCreditNote(context, values);
    case 'GET credit_notes':
      return list(
        path,
        [...state.creditNotes.values()]
          .filter((note) => note.invoice === values['invoice'])
          .map((note) => ({ ...note })),
      );
    default:
      throw new ApiError(404, {
        type: 'invalid_request_error',
        message: `The stand-in does not know ${method} ${path}`,
      });
  }
}
