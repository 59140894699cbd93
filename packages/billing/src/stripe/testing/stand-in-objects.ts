// The stand-in's objects, with those of Stripe's fields that the product reads.

export interface StoredCustomer {
  id: string;
  object: 'customer';
  created: number;
  name: string | null;
  email: string | null;
  address: Record<string, string> | null;
  metadata: Record<string, string>;
  invoice_settings: { default_payment_method: string | null };
}

export interface StoredPaymentMethod {
  id: string;
  object: 'payment_method';
  type: 'card';
  created: number;
  customer: string;
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string };
}

export interface StoredInvoiceItem {
  id: string;
  object: 'invoiceitem';
  invoice: string;
  customer: string;
  amount: number;
  description: string;
  metadata: Record<string, string>;
}

export interface StoredInvoice {
  id: string;
  object: 'invoice';
  created: number;
  customer: string;
  number: string;
  status: 'draft' | 'open' | 'paid';
  metadata: Record<string, string>;
  attempted: boolean;
  attempt_count: number;
  amount_paid: number;
  credited: number;
  lastFailure: string | null;
}

export interface StoredSession {
  id: string;
  object: 'checkout.session';
  created: number;
  customer: string;
  status: 'open' | 'complete';
  url: string;
  success_url: string;
  cancel_url: string;
  metadata: Record<string, string>;
  paymentMethod: string | null;
}

export interface StoredTaxId {
  id: string;
  object: 'tax_id';
  customer: string;
  type: string;
  value: string;
}

export interface StoredCreditNote {
  id: string;
  object: 'credit_note';
  invoice: string;
  amount: number;
  metadata: Record<string, string>;
}

export interface StoredPortalSession {
  id: string;
  customer: string;
  url: string;
  return_url: string;
}

export interface StoredRefund {
  id: string;
  object: 'refund';
  charge: string;
  created: number;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
}

export interface StoredDispute {
  id: string;
  object: 'dispute';
  charge: string;
  created: number;
  amount: number;
  status: 'warning_needs_response' | 'needs_response' | 'under_review' | 'won' | 'lost';
}

/** Money that moved, which the tests count. */
export interface Charge {
  id: string;
  stripeInvoiceId: string;
  customer: string;
  amount: number;
  paymentMethod: string;
  at: Date;
}

/** The card with this ending is declined for insufficient funds. All others are charged. */
export const DECLINING_LAST4 = '0341';
export const SUCCEEDING_LAST4 = '4242';

export const DECLINE_MESSAGE = 'Your card has insufficient funds.';
