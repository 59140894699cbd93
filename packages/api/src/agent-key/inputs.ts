// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import {
  agentKeyAddresses,
  agentKeyLifetimeDays,
  agentKeyName,
  agentKeyNetworks,
  agentKeyScope,
} from '@penstock/clusters/inputs';
import { z } from 'zod';

export const createAgentKeyInput = z.object({
  clusterId: z.uuid(),
  name: agentKeyName,
  /** Null: valid until it is revoked. */
  lifetimeDays: agentKeyLifetimeDays.nullable().default(null),
  networks: agentKeyNetworks.default([]),
  addresses: agentKeyAddresses.default([]),
  /** `jobs` and `read_only` keys give less away when they leak. */
  scope: agentKeyScope.default('agent'),
});

/** Omitted fields stay as they are. */
export const updateAgentKeyInput = z.object({
  agentKeyId: z.uuid(),
  name: agentKeyName.optional(),
  lifetimeDays: agentKeyLifetimeDays.nullable().optional(),
  networks: agentKeyNetworks.optional(),
  addresses: agentKeyAddresses.optional(),
  /** The scope that the key has, or a narrower one. */
  scope: agentKeyScope.optional(),
});
