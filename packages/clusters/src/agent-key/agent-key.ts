// The public view of an agent key: never the secret, never its hash.
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
