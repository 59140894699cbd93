// Queries for parts of a cluster's live state, one per kind. Pages load them first, and poll them if they have no
// stream.

import type { LivePartKind } from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { readLivePartInput, readNamedLivePartInput } from './inputs.ts';

/** Parts of the cluster as a whole. */
export function readLivePart<Kind extends Exclude<LivePartKind, 'topic' | 'group'>>(kind: Kind) {
  return procedure('cluster:read')
    .input(readLivePartInput)
    .query(({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind }));
}

/** One topic or group; null if there is none with that name. */
export function readNamedLivePart<Kind extends 'topic' | 'group'>(kind: Kind) {
  return procedure('cluster:read')
    .input(readNamedLivePartInput)
    .query(({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind }));
}
