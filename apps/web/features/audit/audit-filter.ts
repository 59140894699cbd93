// What the audit page looks for, as its address says it. Pure.

import { MINUTE_MS } from '@penstock/units';

export const sources = ['web', 'api', 'worker', 'seed'] as const;
export type Source = (typeof sources)[number];

export const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  web: 'Dashboard',
  api: 'API',
  worker: 'Background job',
  seed: 'Initial setup',
};

/** What is left out bounds nothing. */
export interface AuditFilter {
  actor?: string;
  action?: string;
  target?: string;
  source?: Source;
  /** RFC 3339. */
  from?: string;
  to?: string;
}

const names = ['actor', 'action', 'target', 'source', 'from', 'to'] as const;

function timeOf(text: string | null): string | undefined {
  const timeMs = Date.parse(text ?? '');
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString();
}

/** Reads an address; what makes no sense there bounds nothing. */
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

/** The parameters of an address that looks for this. */
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

/** An instant as the browser's own field for date and time takes it: to the minute, in the reader's zone. */
export function toLocalField(time: string | undefined): string {
  if (time === undefined) {
    return '';
  }
  const localMs = Date.parse(time) - new Date(time).getTimezoneOffset() * MINUTE_MS;
  return new Date(localMs).toISOString().slice(0, 16);
}

/** The other way; nothing for what is empty or no time. */
export function fromLocalField(text: string): string | undefined {
  return text === '' ? undefined : timeOf(text);
}
