// The audit log in words. Pure.

const WORDS: Readonly<Record<string, string>> = {
  'organization.create': 'created the organization',
  'organization.transfer-ownership': 'transferred the ownership',
  'organization.export': 'exported everything of the organization',
  'organization.delete': 'deleted the organization',
  'organization.restore': 'restored the organization',
  'organization.purge': 'removed a deleted organization for good',
  'member.change-role': 'changed a member’s role',
  'member.remove': 'removed a member',
  'member.leave': 'left the organization',
  'member.provision': 'became a member by single sign-on',
  'sso.update': 'changed single sign-on',
  'sso.remove': 'turned single sign-on off',
  'sso.add-domain': 'added an e-mail domain',
  'sso.verify-domain': 'verified an e-mail domain',
  'sso.lose-domain': 'took back the verification of an e-mail domain, whose record was gone',
  'sso.remove-domain': 'removed an e-mail domain',
  'invitation.create': 'invited a colleague',
  'invitation.revoke': 'took an invitation back',
  'invitation.accept': 'accepted an invitation',
  'account.sign-in': 'signed in',
  'account.sign-in-failed': 'failed to sign in',
  'account.sign-out': 'signed out',
  'account.change-password': 'changed the password',
  'account.reset-password': 'set a new password by mail',
  'account.enable-two-factor': 'turned two-factor sign-in on',
  'account.disable-two-factor': 'turned two-factor sign-in off',
  'account.renew-recovery-codes': 'made new recovery codes',
  'account.add-passkey': 'added a passkey',
  'account.remove-passkey': 'removed a passkey',
  'account.revoke-session': 'ended a session',
  'cluster.create': 'created a cluster',
  'cluster.rename': 'renamed a cluster',
  'cluster.update-settings': 'changed a cluster’s settings',
  'cluster.delete': 'deleted a cluster',
  'cluster.restore': 'restored a cluster',
  'cluster.purge': 'removed a deleted cluster for good',
  'agent-key.create': 'created an agent key',
  'agent-key.revoke': 'revoked an agent key',
  'api-key.create': 'created an API key',
  'api-key.rotate': 'rotated an API key',
  'api-key.revoke': 'revoked an API key',
  'billing.update-budget': 'changed the budget or the spending cap',
  'billing.update-webhook': 'changed the webhook for alerts',
  'billing.cap-reach': 'stopped writes: the spending cap was reached',
  'billing.cap-lift': 'let writes through again: the spending cap does not hold any more',
  'billing.update-details': 'changed the billing details',
  'billing.change-payment-method': 'changed the payment method',
  'billing.change-standing': 'changed the standing of the account',
  'billing.record-transfer': 'recorded a transfer',
  'billing.pay-by-card': 'paid an invoice by card instead of by transfer',
  'billing.reverse-payment': 'booked money of an invoice that went back, or came again',
  'billing.retry-call': 'had a call to Stripe repeated',
  'invoice.issue': 'issued an invoice',
  'credit-note.issue': 'issued a credit note',
  'alerts.choose-recipient': 'changed who is told of findings',
  'silence.create': 'silenced alerts',
  'silence.end': 'ended a silence of alerts',
  'topic.create': 'created a topic',
  'topic.delete': 'deleted a topic',
  'topic.alter-configs': 'changed a topic’s configuration',
  'topic.browse': 'looked at records of a topic',
  'group.reset-offsets': 'reset a consumer group’s offsets',
  'group.delete': 'deleted a consumer group',
};

/** What stands before the dot of an action. */
const NOUNS: Readonly<Record<string, string>> = {
  organization: 'the organization',
  member: 'members',
  invitation: 'invitations',
  sso: 'single sign-on',
  account: 'accounts and sign-ins',
  cluster: 'clusters',
  'agent-key': 'agent keys',
  'api-key': 'API keys',
  billing: 'billing',
  invoice: 'invoices',
  'credit-note': 'credit notes',
  alerts: 'who is told of findings',
  silence: 'silences of alerts',
  topic: 'topics',
  group: 'consumer groups',
};

/** What one may search for: all that concerns one sort of thing, then each action. */
export const actionOptions: readonly { value: string; label: string }[] = [
  ...Object.entries(NOUNS).map(([value, noun]) => ({ value, label: `All about ${noun}` })),
  ...Object.entries(WORDS).map(([value, label]) => ({ value, label })),
];

/** What was done, as a person says it; an action unknown here keeps its own name. */
export function describeAction(action: string): string {
  return WORDS[action] ?? action;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What changed: "name: a → b" where both sides are known, "name: a" where only one is. Equal values are left out. */
export function describeChange(before: unknown, after: unknown): readonly string[] {
  const old = isRecord(before) ? before : {};
  const next = isRecord(after) ? after : {};
  const lines: string[] = [];
  for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const from = old[name];
    const to = next[name];
    if (from !== undefined && to !== undefined) {
      if (show(from) !== show(to)) {
        lines.push(`${name}: ${show(from)} → ${show(to)}`);
      }
    } else {
      lines.push(`${name}: ${show(from ?? to)}`);
    }
  }
  return lines;
}
