// What an agent key may do. Client-safe.

/**
 * `agent`: everything that an agent needs. `jobs`: merging, compaction and deletions, without users and passwords' verifiers. `read_only`:
 * serving consumers, with their groups and offsets.
 */
export const agentKeyScopes = ['agent', 'jobs', 'read_only'] as const;
export type AgentKeyScope = (typeof agentKeyScopes)[number];

/** Undefined for a scope of a later release, which this one must not grant anything. */
export function agentKeyScopeOf(text: string): AgentKeyScope | undefined {
  return agentKeyScopes.find((scope) => scope === text);
}

/** Whether a key may be changed from one scope to another in place: only to less. A wider scope needs a new key. */
export function isNarrower(to: string, from: string): boolean {
  return from === 'agent' && to !== 'agent';
}
