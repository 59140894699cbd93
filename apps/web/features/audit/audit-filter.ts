// The audit page's search and its URL parameters. Pure.

import { MINUTE_MS } from '@penstock/units';

export const sources = ['web', 'api', 'kafka', 'worker', 'seed'] as const;
export type Source = (typeof sources)[number];

const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  web: 'Dashboard',
  api: 'API',
  kafka: 'Kafka client',
  worker: 'Background job',
  seed: 'Initial setup',
};

/** A source in words, or its name when it has none. */
export function sourceText(source: string): string {
  return sources.some((known) => known === source) ? SOURCE_WORDS[source as Source] : source;
}

/** A missing field does not filter. */
export interface AuditFilter {
  actor?: string;
  action?: string;
  target?: string;
  source?: Source;
  /** Start time, in RFC 3339. */
  from?: string;
  to?: string;
}

const names = ['actor', 'action', 'target', 'source', 'from', 'to'] as const;

function timeOf(text: string | null): string | undefined {
  const timeMs = Date.parse(text ?? '');
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString();
}

/** Reads the search from a URL. Invalid values are ignored. */
export function parseAuditFilter(parameters: URLSearchParams): AuditFilter {
  const text = (name: string) => parameters.get(name)?.trim() || undefined;
  const action = text('action');
  return withoutNothing({
    actor: text('actor')?.slice(0, 200),
    action: action !== undefined && /^[a-z-]+(\.[a-z-]+)?$/.test(action) ? action : undefined,
    target: text('target')?.slice(0, 300),
    source: sources.find((source) => source === parameters.get('source')),
    from: timeOf(parameters.get('from')),
    to: timeOf(parameters.get('to')),
  });
}

/** The URL parameters of this search. */
export function auditParameters(filter: AuditFilter): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of names) {
    const value = filter[name];
    if (value !== undefined) {
      parameters.set(name, value);
    }
  }
  return parameters;
}

type Loose = { [Name in keyof AuditFilter]?: AuditFilter[Name] | undefined };

export function withoutNothing({ actor, action, target, source, from, to }: Loose): AuditFilter {
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(source === undefined ? {} : { source }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** An instant as the value of a datetime-local input: to the minute, in the reader's time zone. */
export function toLocalField(time: string | undefined): string {
  if (time === undefined) {
    return '';
  }
  const localMs = Date.parse(time) - new Date(time).getTimezoneOffset() * MINUTE_MS;
  return new Date(localMs).toISOString().slice(0, 16);
}

/** The inverse. Undefined for empty or invalid text. */
export function fromLocalField(text: string): string | undefined {
  return text === '' ? undefined : timeOf(text);
}
