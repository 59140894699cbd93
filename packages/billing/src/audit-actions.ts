// The audited actions that this domain writes, with their words. Client-safe.
import type {} from '@penstock/tenancy/audit-actions';

export const billingAudit = {
  /** Headings of the search: what the actions are about, by the first part of their names. */
  nouns: {
    invoice: 'Invoices',
    'credit-note': 'Credit notes',
  },
  /** In the past tense, after the name of the actor. */
  actions: {
    'billing.update-budget': 'changed the budget or the spending cap',
    'billing.cap-reach': 'blocked writes because the spending cap was reached',
    'billing.cap-lift': 'unblocked writes because the spending cap no longer applies',
    'billing.update-details': 'changed the billing details',
    'billing.change-payment-method': 'changed the payment method',
    'billing.change-standing': 'changed the account status',
    'billing.record-transfer': 'recorded a bank transfer',
    'billing.pay-by-card': 'paid an invoice by card instead of bank transfer',
    'billing.reverse-payment': 'recorded a refund or dispute of an invoice',
    'billing.retry-call': 'retried a Stripe request',
    'billing.hold-usage': 'held unusual usage for review',
    'billing.release-usage': 'released held usage, which is billed',
    'billing.waive-usage': 'waived held usage, which is not billed',
    'invoice.issue': 'issued an invoice',
    'credit-note.issue': 'issued a credit note',
  },
} as const;

declare module '@penstock/tenancy/audit-actions' {
  interface AuditActions extends Record<keyof typeof billingAudit.actions, true> {}
}
