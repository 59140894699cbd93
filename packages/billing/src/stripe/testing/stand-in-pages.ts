// The stand-in's clickable pages: Checkout with one card that works and one that does not, the portal, an invoice.

import type { StripeStandIn } from './stand-in.ts';
import { DECLINE_MESSAGE, DECLINING_LAST4, SUCCEEDING_LAST4 } from './stand-in-objects.ts';

export type PageAnswer = { status: 200 | 404; html: string } | { status: 303; location: string };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function page(title: string, body: string): PageAnswer {
  const style =
    'font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark';
  return {
    status: 200,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head><body style="${style}"><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
  };
}

function cards(): string {
  return `<fieldset><legend>Card</legend>
<p><label><input type="radio" name="card" value="${SUCCEEDING_LAST4}" checked> ending ${SUCCEEDING_LAST4}: payments succeed</label></p>
<p><label><input type="radio" name="card" value="${DECLINING_LAST4}"> ending ${DECLINING_LAST4}: payments are declined</label></p>
</fieldset>`;
}

function dollars(cents: number): string {
  return `US$${(cents / 100).toFixed(2)}`;
}

const nothing: PageAnswer = { status: 404, html: '<!doctype html><title>Not found</title><h1>Not found</h1>' };

/** @param form the posted fields; undefined to show the page */
export function answerPage(standIn: StripeStandIn, path: string, form: URLSearchParams | undefined): PageAnswer {
  const [, kind, id = ''] = path.split('/');
  if (kind === 'checkout') {
    return checkout(standIn, id, form);
  }
  if (kind === 'portal') {
    return portal(standIn, id, form);
  }
  if (kind === 'i') {
    return invoicePage(standIn, id, form);
  }
  return nothing;
}

function checkout({ state }: StripeStandIn, id: string, form: URLSearchParams | undefined): PageAnswer {
  const session = state.sessions.get(id);
  if (session === undefined) {
    return nothing;
  }
  if (form !== undefined) {
    state.completeSession(session, form.get('card') ?? SUCCEEDING_LAST4);
    return { status: 303, location: session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id) };
  }
  return page(
    'Save a card (Stripe stand-in)',
    `<form method="post">${cards()}<p><button>Save card</button> <a href="${escapeHtml(session.cancel_url)}">Back</a></p></form>`,
  );
}

function portal({ state }: StripeStandIn, id: string, form: URLSearchParams | undefined): PageAnswer {
  const session = state.portals.get(id);
  if (session === undefined) {
    return nothing;
  }
  const customer = state.customer(session.customer);
  if (form !== undefined) {
    const method = state.addPaymentMethod(customer.id, form.get('card') ?? SUCCEEDING_LAST4);
    state.setDefaultMethod(customer, method.id);
  }
  const current = state.paymentMethods.get(customer.invoice_settings.default_payment_method ?? '');
  const invoices = [...state.invoices.values()].filter((invoice) => invoice.customer === customer.id);
  const rows = invoices.map(
    (invoice) =>
      `<li><a href="/i/${invoice.id}">${escapeHtml(invoice.number)}</a>: ${dollars(state.totalOf(invoice))}, ${invoice.status}</li>`,
  );
  return page(
    'Billing portal (Stripe stand-in)',
    `<p>${current === undefined ? 'No card' : `Card ending ${current.card.last4}`}</p><ul>${rows.join('')}</ul>
<form method="post">${cards()}<p><button>Use this card</button></p></form><p><a href="${escapeHtml(session.return_url)}">Return</a></p>`,
  );
}

function invoicePage(standIn: StripeStandIn, id: string, form: URLSearchParams | undefined): PageAnswer {
  const { state, origin } = standIn;
  const invoice = state.invoices.get(id);
  if (invoice === undefined || invoice.status === 'draft') {
    return nothing;
  }
  let answer = '';
  if (form !== undefined && invoice.status === 'open') {
    state.setDefaultMethod(
      state.customer(invoice.customer),
      state.addPaymentMethod(invoice.customer, form.get('card') ?? SUCCEEDING_LAST4).id,
    );
    try {
      state.pay(invoice, origin);
    } catch {
      answer = `<p role="alert">${DECLINE_MESSAGE}</p>`;
    }
  }
  const pay = invoice.status === 'open' ? `<form method="post">${cards()}<p><button>Pay</button></p></form>` : '';
  return page(
    `Invoice ${invoice.number} (Stripe stand-in)`,
    `<p>${dollars(state.totalOf(invoice))}, ${invoice.status}</p>${answer}${pay}`,
  );
}
