// An agent key as it may be shown: never the secret, never its hash.
import type { Scope } from '../access/scope.ts';

export interface AgentKey {
  id: string;
  name: string;
  /** The first characters, e.g. `psk_agent_a1B2`. */
  displayPrefix: string;
  displayLast4: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export const agentKeyColumns = {
  id: true,
  name: true,
  displayPrefix: true,
  displayLast4: true,
  createdAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const;

/** Tells the metadata service, at commit, to forget what it remembers of this cluster's keys. */
export async function announceAgentKeyChange(scope: Scope, clusterId: string): Promise<void> {
  await scope.tx.$executeRaw`SELECT pg_notify('penstock_agent_key_changed', ${clusterId})`;
}
