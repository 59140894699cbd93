// The limits and scopes of an agent key as forms and tables show them. Pure.
import { type AgentKeyScope, agentKeyScopeOf, agentKeyScopes, isNarrower } from '@penstock/platform/agent-key-scope';

const SCOPES: Readonly<Record<AgentKeyScope, { label: string; hint: string }>> = {
  agent: { label: 'Agent', hint: 'Serves clients and runs jobs.' },
  jobs: {
    label: 'Jobs only',
    hint: 'Runs jobs (merging, compaction and deletion) and serves no clients. Start the agent with --roles jobs.',
  },
  read_only: {
    label: 'Read-only',
    hint: 'Serves consumers and their groups, but no producers. Start the agent with --roles consume.',
  },
};

/** The name of a key's scope; that of a later release stays as it is. */
export function scopeLabel(scope: string): string {
  const known = agentKeyScopeOf(scope);
  return known === undefined ? scope : SCOPES[known].label;
}

/** The scopes that a key can get: all of them for a new key, else its own and narrower ones. */
export function scopeOptions(current: string | null): { value: AgentKeyScope; label: string; hint: string }[] {
  const narrowing = current === 'agent' ? ' You can’t widen a narrowed scope again.' : '';
  return agentKeyScopes
    .filter((scope) => current === null || scope === current || isNarrower(scope, current))
    .map((value) => ({ value, label: SCOPES[value].label, hint: `${SCOPES[value].hint}${narrowing}` }));
}

/** The contents of the fields. */
export interface LimitTexts {
  lifetimeDays: string;
  networks: string;
  addresses: string;
}

export const NO_LIMITS: LimitTexts = { lifetimeDays: '', networks: '', addresses: '' };

/** The fields as input of the API. Empty fields are no limit. */
export function limitsOf({ lifetimeDays, networks, addresses }: LimitTexts) {
  return {
    lifetimeDays: lifetimeDays.trim() === '' ? null : Number(lifetimeDays),
    networks: listOf(networks),
    addresses: listOf(addresses),
  };
}

/** Words separated by commas, spaces or lines. */
function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
