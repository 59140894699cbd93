// A host that agents of a cluster advertise, and whether clients are sent there.
export const agentAddressStates = ['learned', 'confirmed', 'pending', 'refused'] as const;
export type AgentAddressState = (typeof agentAddressStates)[number];

export interface AgentAddress {
  host: string;
  /**
   * `learned`: accepted while the cluster learned addresses. `confirmed`: by a person or program. `pending`: waits for
   * that. `refused`: not among the addresses of the agent's key.
   */
  state: AgentAddressState;
  /** The key of the agent that advertised it; null if nobody has, or the key is gone. */
  agentKeyId: string | null;
  agentKeyName: string | null;
  firstSeenAt: Date;
  /** To the hour; null if no agent has advertised it yet. */
  lastSeenAt: Date | null;
  confirmedAt: Date | null;
}

export const agentAddressColumns = {
  host: true,
  state: true,
  keyId: true,
  key: { select: { name: true } },
  firstSeenAt: true,
  lastSeenAt: true,
  confirmedAt: true,
} as const;

interface AgentAddressRow {
  host: string;
  state: string;
  keyId: string | null;
  key: { name: string } | null;
  firstSeenAt: Date;
  lastSeenAt: Date | null;
  confirmedAt: Date | null;
}

export function toAgentAddress({ state, keyId, key, ...row }: AgentAddressRow): AgentAddress {
  const known = agentAddressStates.find((name) => name === state);
  if (known === undefined) {
    throw new Error(`${state} is not a state of an agent's address`);
  }
  return { ...row, state: known, agentKeyId: keyId, agentKeyName: key?.name ?? null };
}
