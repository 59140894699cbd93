// The audited actions that this domain writes, with their words. Client-safe.
import type {} from '@penstock/tenancy/audit-actions';

export const lifecycleAudit = {
  /** Headings of the search: what the actions are about, by the first part of their names. */
  nouns: {},
  /** In the past tense, after the name of the actor. */
  actions: {
    'organization.create': 'created the organization',
    'organization.export': 'exported the organization',
    'organization.suspend': 'suspended the organization',
    'organization.lift-suspension': 'lifted the suspension of the organization',
    'organization.delete': 'deleted the organization',
    'organization.restore': 'restored the organization',
    'organization.purge': 'permanently deleted an organization',
  },
} as const;

declare module '@penstock/tenancy/audit-actions' {
  interface AuditActions extends Record<keyof typeof lifecycleAudit.actions, true> {}
}
