// Texts of the audit log. Pure.
import { auditDomains } from '@penstock/api/inputs';
import { titleOf } from '@penstock/health';
import { formatDateTime } from '@penstock/units';

/** Words by action, and headings by the first part of an action. */
const WORDS: ReadonlyMap<string, string> = new Map(auditDomains.flatMap(({ actions }) => Object.entries(actions)));
const NOUNS: ReadonlyMap<string, string> = new Map(auditDomains.flatMap(({ nouns }) => Object.entries(nouns)));

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
  ...[...NOUNS].map(([value, noun]) => ({ value, label: `${noun}: all actions` })),
  ...[...WORDS].map(([value, label]) => ({ value, label })),
];

/** The text of an action, or its name when it has no text. */
export function describeAction(action: string): string {
  return WORDS.get(action) ?? action;
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
