// Inputs of the agent key procedures. Client-safe: imports only zod and pure modules.
import {
  agentHost,
  agentKeyAddresses,
  agentKeyLifetimeDays,
  agentKeyName,
  agentKeyNetworks,
} from '@penstock/clusters/inputs';
import { z } from 'zod';

export const createAgentKeyInput = z.object({
  clusterId: z.uuid(),
  name: agentKeyName,
  /** Null: valid until it is revoked. */
  lifetimeDays: agentKeyLifetimeDays.nullable().default(null),
  networks: agentKeyNetworks.default([]),
  addresses: agentKeyAddresses.default([]),
});

export const listAgentKeysInput = z.object({ clusterId: z.uuid() });

/** Omitted fields stay as they are. */
export const updateAgentKeyInput = z.object({
  agentKeyId: z.uuid(),
  name: agentKeyName.optional(),
  lifetimeDays: agentKeyLifetimeDays.nullable().optional(),
  networks: agentKeyNetworks.optional(),
  addresses: agentKeyAddresses.optional(),
});

export const revokeAgentKeyInput = z.object({ agentKeyId: z.uuid() });

export const agentAddressInput = z.object({ clusterId: z.uuid(), host: agentHost });
