// Agents of a cluster.
import * as clusters from '@penstock/clusters';
import { z } from 'zod';
import { keyName } from '../operation/cursor.ts';
import { operations } from '../trpc/operations.ts';

const { list } = operations('Agents');

const agentSchema = z
  .object({
    agentId: z.string(),
    nodeId: z.int(),
    zone: z.string(),
    version: z.string(),
    advertisedHost: z.string(),
    advertisedPort: z.int(),
    registeredAtMs: z.number(),
    lastSeenMs: z.number(),
    alive: z.boolean(),
    bucket: z.string(),
    messageBrowserUrl: z.string().nullable().meta({
      description: 'URL where browsers can read records from the agent. Null if message browsing is turned off.',
    }),
    landingZones: z.array(z.string()).nullable().meta({
      description: 'Zones of its landing buckets. Null until the agent has reported them.',
    }),
  })
  .meta({
    id: 'Agent',
    example: {
      agentId: 'agent-1',
      nodeId: 1,
      zone: 'eu-central-1a',
      version: '0.1.0',
      advertisedHost: '10.0.0.7',
      advertisedPort: 9092,
      registeredAtMs: 1_795_000_000_000,
      lastSeenMs: 1_795_000_100_000,
      alive: true,
      bucket: 's3://acme-penstock',
      messageBrowserUrl: null,
      landingZones: [],
    },
  });

export const agentOperations = {
  list: list({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    key: z.tuple([keyName]),
    run: ({ ctx, input, slice }) =>
      ctx.run((scope) => clusters.listAgents(scope, ctx.backend.metadata, { ...input, slice })),
    keyOf: ({ agentId }) => [agentId],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/agents',
        id: 'listAgents',
        summary: 'List the agents of a cluster',
        schema: agentSchema,
      }),
  }),
};
