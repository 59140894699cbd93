// Texts of the audit log. Pure.
import { titleOf } from '@penstock/health';
import { formatDateTime } from '@penstock/units';

const WORDS: Readonly<Record<string, string>> = {
  'organization.create': 'created the organization',
  'organization.transfer-ownership': 'transferred ownership',
  'organization.export': 'exported the organization',
  'organization.suspend': 'suspended the organization',
  'organization.lift-suspension': 'lifted the suspension of the organization',
  'organization.delete': 'deleted the organization',
  'organization.restore': 'restored the organization',
  'organization.purge': 'permanently deleted an organization',
  'member.change-role': 'changed a member’s role',
  'member.change-cluster-roles': 'changed a member’s roles for clusters',
  'member.remove': 'removed a member',
  'member.leave': 'left the organization',
  'member.provision': 'joined through single sign-on or provisioning',
  'member.deprovision': 'ended a provisioned membership',
  'sso.update': 'changed single sign-on settings',
  'sso.remove': 'turned off single sign-on',
  'sso.test': 'tested single sign-on',
  'sso.refresh-metadata': 'read new SAML certificates',
  'sso.add-domain': 'added an email domain',
  'sso.verify-domain': 'verified an email domain',
  'sso.lose-domain': 'removed the verification of an email domain because its record was missing',
  'sso.remove-domain': 'removed an email domain',
  'scim-token.create': 'created a SCIM token',
  'scim-token.revoke': 'revoked a SCIM token',
  'scim-user.create': 'provisioned a user',
  'scim-user.update': 'changed a provisioned user',
  'scim-user.delete': 'deleted a provisioned user',
  'scim-group.create': 'provisioned a group',
  'scim-group.update': 'changed a provisioned group',
  'scim-group.delete': 'deleted a provisioned group',
  'invitation.create': 'invited a member',
  'invitation.revoke': 'revoked an invitation',
  'invitation.accept': 'accepted an invitation',
  'account.sign-in': 'signed in',
  'account.sign-in-failed': 'failed to sign in',
  'account.sign-out': 'signed out',
  'account.change-password': 'changed the password',
  'account.reset-password': 'reset the password by email',
  'account.second-factor-failed': 'entered a wrong second factor',
  'account.enable-two-factor': 'turned on two-factor sign-in',
  'account.disable-two-factor': 'turned off two-factor sign-in',
  'account.renew-recovery-codes': 'generated new recovery codes',
  'account.add-passkey': 'added a passkey',
  'account.remove-passkey': 'removed a passkey',
  'account.revoke-session': 'ended a session',
  'cluster.create': 'created a cluster',
  'cluster.rename': 'renamed a cluster',
  'cluster.update-settings': 'changed a cluster’s settings',
  'cluster.delete': 'deleted a cluster',
  'cluster.restore': 'restored a cluster',
  'cluster.purge': 'permanently deleted a cluster',
  'agent-key.create': 'created an agent key',
  'agent-key.update': 'changed an agent key',
  'agent-key.revoke': 'revoked an agent key',
  'api-key.new-network': 'noticed an API key in a new network',
  'api-key.refuse': 'refused an expired or revoked API key',
  'topic.delete-records': 'deleted records from a topic',
  'group.commit-offsets': 'committed offsets from outside a consumer group',
  'group.delete-offsets': 'deleted offsets of a consumer group',
  'agent-key.new-network': 'noticed an agent key in a new network',
  'agent-address.confirm': 'confirmed an agent address',
  'agent-address.remove': 'removed an agent address',
  'api-key.create': 'created an API key',
  'api-key.rotate': 'rotated an API key',
  'organization.require-two-factor': 'changed whether two-factor sign-in is required',
  'organization.set-session-lifetime': 'changed how long sessions last',
  'api-key.lower-role': 'lowered the role of an API key',
  'api-key.revoke': 'revoked an API key',
  'billing.update-budget': 'changed the budget or the spending cap',
  'billing.update-webhook': 'changed the webhook for alerts',
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
  'alerts.choose-recipient': 'changed the alert recipients',
  'silence.create': 'silenced alerts',
  'silence.end': 'ended an alert silence',
  'topic.create': 'created a topic',
  'topic.delete': 'deleted a topic',
  'topic.alter-configs': 'changed a topic’s configuration',
  'topic.add-partitions': 'added partitions to a topic',
  'topic.browse': 'viewed messages of a topic',
  'group.reset-offsets': 'reset a consumer group’s offsets',
  'group.delete': 'deleted a consumer group',
  'group.alter-configs': 'changed a consumer group’s configuration',
  'client-metrics.alter-configs': 'changed a subscription to client metrics',
  'transaction.abort': 'aborted a transaction',
  'cluster-user.put-credential': 'set a Kafka user’s credential',
  'cluster-user.delete': 'deleted a Kafka user',
  'acl.create': 'created ACLs',
  'acl.delete': 'deleted ACLs',
  'quota.set': 'changed a client quota',
  'security.update-settings': 'changed a cluster’s access settings',
};

/** Labels for the first part of an action. */
const NOUNS: Readonly<Record<string, string>> = {
  organization: 'Organization',
  member: 'Members',
  invitation: 'Invitations',
  sso: 'Single sign-on',
  account: 'Accounts and sign-ins',
  cluster: 'Clusters',
  'agent-key': 'Agent keys',
  'agent-address': 'Agent addresses',
  'api-key': 'API keys',
  billing: 'Billing',
  invoice: 'Invoices',
  'credit-note': 'Credit notes',
  alerts: 'Alert recipients',
  silence: 'Alert silences',
  topic: 'Topics',
  group: 'Consumer groups',
  'client-metrics': 'Client metrics',
  transaction: 'Transactions',
  'scim-token': 'SCIM tokens',
  'scim-user': 'Provisioned users',
  'scim-group': 'Provisioned groups',
  'cluster-user': 'Kafka users',
  acl: 'ACLs',
  quota: 'Client quotas',
  security: 'Access settings',
};

/** Labels of fields whose names alone would be unclear. Other names are split into words. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  amountUsd: 'amount (USD)',
  autoCreateTopics: 'automatic topic creation',
  budgetUsd: 'budget (USD)',
  capUsd: 'spending cap (USD)',
  creditUsd: 'credit (USD)',
  isReadOnly: 'read-only',
  isRequired: 'required for members',
  isSecretNew: 'new secret',
  isTold: 'receives alerts',
  withinHourFrom: 'within the hour from',
  kafkaClientId: 'client ID of the Kafka client',
  isTwoFactorOn: 'two-factor sign-in',
  sessionDays: 'days until members sign in again',
  standing: 'account status',
  totalUsd: 'total (USD)',
};

/** Options of the search: everything about one kind of object, then each action. */
export const actionOptions: readonly { value: string; label: string }[] = [
  ...Object.entries(NOUNS).map(([value, noun]) => ({ value, label: `${noun}: all actions` })),
  ...Object.entries(WORDS).map(([value, label]) => ({ value, label })),
];

/** The text of an action, or its name when it has no text. */
export function describeAction(action: string): string {
  // A name such as `constructor` is a property of every object.
  return (Object.hasOwn(WORDS, action) ? WORDS[action] : undefined) ?? action;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The agent key that vouches for who a Kafka client is. The service knows only the key: the agent checked the client, and
 * a holder of the key can name any client. Null for rows that aren't about Kafka clients.
 */
export function reportingKeyOf({ source, after }: { source: string; after: unknown }): string | null {
  const key = source === 'kafka' && isRecord(after) ? after['agentKeyId'] : undefined;
  return typeof key === 'string' && key !== '' ? key : null;
}

/** Whether the service itself verified who the Kafka client was. Otherwise the name is the agent's claim. */
export function isPrincipalVerified({ source, after }: { source: string; after: unknown }): boolean {
  return source === 'kafka' && isRecord(after) && after['principalVerified'] === true;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Times are in the time zone, like those outside the details. */
function show(name: string, value: unknown, timeZone: string): string {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (value === null) {
    return name === 'rule' ? 'all rules' : 'none';
  }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? 'none' : value.join(', ');
  }
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  if (name === 'rule') {
    return titleOf(value);
  }
  return INSTANT.test(value) ? formatDateTime(Date.parse(value), timeZone) : value;
}

function fieldName(name: string): string {
  const known = Object.hasOwn(FIELD_NAMES, name) ? FIELD_NAMES[name] : undefined;
  return known ?? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Shows the first and last characters of a key, as the key lists do. */
function withKeyText(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { displayPrefix, displayLast4, ...others } = fields;
  return displayPrefix === undefined || displayLast4 === undefined
    ? fields
    : { ...others, key: `${String(displayPrefix)}…${String(displayLast4)}` };
}

/** The changes: "name: a → b" when both values are known, "name: a" when only one is. Equal values are left out. */
export function describeChange(before: unknown, after: unknown, timeZone: string): readonly string[] {
  const old = isRecord(before) ? withKeyText(before) : {};
  const next = isRecord(after) ? withKeyText(after) : {};
  const lines: string[] = [];
  for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const [from, to] = [old[name], next[name]].map((value) =>
      value === undefined ? undefined : show(name, value, timeZone),
    );
    if (from === undefined || to === undefined) {
      lines.push(`${fieldName(name)}: ${from ?? to ?? ''}`);
    } else if (from !== to) {
      lines.push(`${fieldName(name)}: ${from} → ${to}`);
    }
  }
  return lines;
}
