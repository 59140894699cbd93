import type { LiveUpdate, WatchedKind } from '@penstock/clusters';
import { z } from 'zod';
import { livePartName } from './read-live-part.types.ts';

const kinds = [
  'summary',
  'throughput',
  'agents',
  'topics',
  'groups',
  'topic',
  'group',
  'health',
  'events',
] as const satisfies WatchedKind[];

/** More than any page shows at a time. */
const MAX_PARTS = 16;

export const watchClusterInput = z.object({
  clusterId: z.uuid(),
  /** What to tell of. */
  parts: z
    .array(z.object({ kind: z.enum(kinds), name: livePartName.optional() }))
    .min(1)
    .max(MAX_PARTS)
    .default([{ kind: 'summary' }]),
  /** Comes from the client by itself when it reconnects: which events it has already. Everything else is told anew. */
  lastEventId: z.string().max(64).nullish(),
});

export type ClusterWatchEvent = LiveUpdate;
