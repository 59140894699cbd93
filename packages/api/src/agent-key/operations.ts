// Agent keys, and the addresses that agents advertise.
import * as clusters from '@penstock/clusters';
import { agentHost } from '@penstock/clusters/inputs';
import { z } from 'zod';
import { keyText, keyTime } from '../operation/cursor.ts';
import { TAKES_RIGHTS_AWAY } from '../operation/reasons.ts';
import { exampleIds, instant } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { createAgentKeyInput, updateAgentKeyInput } from './inputs.ts';

const { list, mutation } = operations('Agent keys');

const agentKeyExample = {
  id: exampleIds.key,
  name: 'production, eu-west-1',
  displayPrefix: 'psk_agent_a1B2',
  displayLast4: 'x9Y8',
  createdBy: exampleIds.user,
  createdAt: '2026-11-02T09:30:00.000Z',
  expiresAt: '2027-11-02T09:30:00.000Z',
  networks: ['203.0.113.0/24'],
  addresses: ['*.agents.internal', '10.0.0.0/8'],
  scope: 'agent',
  lastUsedAt: '2026-11-21T15:04:00.000Z',
  lastAddress: '203.0.113.7',
  revokedAt: null,
};

const agentKeySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    displayPrefix: z.string(),
    displayLast4: z.string(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    networks: z
      .array(z.string())
      .meta({ description: 'IP addresses and CIDR ranges that the key may be used from. Empty: any.' }),
    addresses: z.array(z.string()).meta({
      description:
        'Hosts that agents with this key may advertise: names, suffixes such as `*.agents.internal`, IP addresses and CIDR ranges. Empty: the configuration of the cluster decides.',
    }),
    scope: z.string().meta({
      description:
        'What the key may do. `agent`: everything that agents need. `jobs`: merging, compaction and deletions. `read_only`: serving consumers, with their groups and offsets.',
    }),
    lastUsedAt: instant.nullable(),
    lastAddress: z.string().nullable().meta({ description: 'The IP address of the last use.' }),
    revokedAt: instant.nullable(),
  })
  .meta({ id: 'AgentKey', example: agentKeyExample });

const agentAddressSchema = z
  .object({
    host: z.string(),
    state: z.enum(['learned', 'confirmed', 'pending', 'refused']).meta({
      description:
        'Clients are sent to learned and confirmed addresses only. A pending address waits for confirmation. A refused one is not among the addresses of the agent’s key.',
    }),
    agentKeyId: z.uuid().nullable(),
    agentKeyName: z.string().nullable(),
    firstSeenAt: instant,
    lastSeenAt: instant.nullable().meta({ description: 'To the hour. Null if no agent has advertised it yet.' }),
    confirmedAt: instant.nullable(),
  })
  .meta({
    id: 'AgentAddress',
    example: {
      host: 'agent-1.agents.internal',
      state: 'pending',
      agentKeyId: exampleIds.key,
      agentKeyName: 'production, eu-west-1',
      firstSeenAt: '2026-11-21T15:04:00.000Z',
      lastSeenAt: '2026-11-21T15:04:00.000Z',
      confirmedAt: null,
    },
  });

const createdAgentKeySchema = z
  .object({
    agentKey: agentKeySchema,
    plaintext: z.string().meta({ description: 'The secret. Returned only in this response.' }),
  })
  .meta({ id: 'CreatedAgentKey', example: { agentKey: agentKeyExample, plaintext: 'psk_agent_…' } });

const listAgentKeysInput = z.object({ clusterId: z.uuid() });

const agentAddressInput = z.object({ clusterId: z.uuid(), host: agentHost });

export const agentKeyOperations = {
  list: list({
    access: 'agent-key:read',
    input: listAgentKeysInput,
    key: z.tuple([keyTime, z.uuid()]),
    run: ({ ctx, input, slice }) => ctx.run((scope) => clusters.listAgentKeys(scope, input, slice)),
    keyOf: ({ createdAt, id }) => [createdAt, id],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/agent-keys',
        id: 'listAgentKeys',
        summary: 'List the agent keys of a cluster, newest first, including revoked keys',
        schema: agentKeySchema,
      }),
  }),
  create: mutation({
    access: 'agent-key:write',
    confirmation: 'always',
    audit: 'agent-key.create',
    input: createAgentKeyInput,
    example: { name: 'production, eu-west-1', lifetimeDays: 365, addresses: ['*.agents.internal'] },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.createAgentKey(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/agent-keys',
        id: 'createAgentKey',
        summary: 'Create an agent key for a cluster',
        status: 201,
        schema: createdAgentKeySchema,
      }),
  }),
  update: mutation({
    access: 'agent-key:write',
    clusterOf: clusters.clusterOfAgentKey,
    confirmation: 'always',
    audit: 'agent-key.update',
    input: updateAgentKeyInput,
    example: { networks: ['203.0.113.0/24'], addresses: ['*.agents.internal', '10.0.0.0/8'] },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.updateAgentKey(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'PATCH /agent-keys/{agentKeyId}',
        id: 'updateAgentKey',
        summary: 'Update the name, limits and scope of an agent key',
        description:
          'Omitted fields don’t change. `lifetimeDays` counts from now on; null removes the expiry. A scope can be narrowed only: from `agent` to `jobs` or `read_only`. Agents notice within seconds.',
        schema: agentKeySchema,
      }),
  }),
  listAddresses: list({
    access: 'agent-key:read',
    input: listAgentKeysInput,
    key: z.tuple([keyTime, keyText]),
    run: ({ ctx, input, slice }) => ctx.run((scope) => clusters.listAgentAddresses(scope, input, slice)),
    keyOf: ({ firstSeenAt, host }) => [firstSeenAt, host],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/agent-addresses',
        id: 'listAgentAddresses',
        summary: 'List the addresses that agents of a cluster advertise, newest first',
        schema: agentAddressSchema,
      }),
  }),
  confirmAddress: mutation({
    access: 'agent-key:write',
    confirmation: 'always',
    audit: 'agent-address.confirm',
    input: agentAddressInput,
    example: { host: 'agent-1.agents.internal' },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.confirmAgentAddress(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/agent-addresses',
        id: 'confirmAgentAddress',
        summary: 'Confirm an address that agents of a cluster advertise',
        description: 'You can also confirm an address before an agent advertises it.',
        schema: agentAddressSchema,
      }),
  }),
  removeAddress: mutation({
    access: 'agent-key:write',
    confirmation: not(TAKES_RIGHTS_AWAY),
    audit: 'agent-address.remove',
    input: agentAddressInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.removeAgentAddress(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'DELETE /clusters/{clusterId}/agent-addresses/{host}',
        id: 'removeAgentAddress',
        summary: 'Remove an address of a cluster’s agents',
        schema: agentAddressSchema,
      }),
  }),
  revoke: mutation({
    access: 'agent-key:write',
    clusterOf: clusters.clusterOfAgentKey,
    confirmation: not(TAKES_RIGHTS_AWAY),
    audit: 'agent-key.revoke',
    input: z.object({ agentKeyId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.revokeAgentKey(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'DELETE /agent-keys/{agentKeyId}',
        id: 'revokeAgentKey',
        summary: 'Revoke an agent key',
        schema: agentKeySchema,
      }),
  }),
};
