// The audited actions: each domain declares those that it writes, with their words, and adds them to `AuditActions`. This
// is also the declaration of this domain. Client-safe.

export const tenancyAudit = {
  /** Headings of the search: what the actions are about, by the first part of their names. */
  nouns: {
    billing: 'Billing',
  },
  /** In the past tense, after the name of the actor. */
  actions: {
    'billing.update-webhook': 'changed the webhook for alerts',
  },
} as const;

/** All declared actions, as keys. */
export interface AuditActions extends Record<keyof typeof tenancyAudit.actions, true> {}

/** `<noun>.<verb>`. Stable, because programs and filters use it. */
export type AuditAction = keyof AuditActions;
