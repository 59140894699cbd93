// The public view of an agent key: never the secret, never its hash.
export interface AgentKey {
  id: string;
  name: string;
  /** The first characters, e.g. `psk_agent_a1B2`. */
  displayPrefix: string;
  displayLast4: string;
  createdAt: Date;
  /** Null: valid until it is revoked. */
  expiresAt: Date | null;
  /** IP addresses and CIDR ranges that it may be used from. Empty: any. */
  networks: string[];
  /** Hosts that its agents may advertise: names, `*.` suffixes, IP addresses, CIDR ranges. Empty: as the cluster decides. */
  addresses: string[];
  /** The permissions of the key. */
  scope: string;
  lastUsedAt: Date | null;
  /** The IP address that it was used from at that time. */
  lastAddress: string | null;
  revokedAt: Date | null;
}

export const agentKeyColumns = {
  id: true,
  name: true,
  displayPrefix: true,
  displayLast4: true,
  createdAt: true,
  expiresAt: true,
  networks: true,
  addresses: true,
  scope: true,
  lastUsedAt: true,
  lastAddress: true,
  revokedAt: true,
} as const;

/** The limits of a key, as shown in audit rows. */
export function auditedLimits({
  expiresAt,
  networks,
  addresses,
  scope,
}: Pick<AgentKey, 'expiresAt' | 'networks' | 'addresses' | 'scope'>) {
  return { expiresAt: expiresAt?.toISOString() ?? null, networks, addresses, scope };
}
