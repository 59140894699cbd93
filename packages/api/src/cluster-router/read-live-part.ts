// Queries for parts of a cluster's live state, one per kind. Pages load them first, and poll them if they have no
// stream.

import type { LivePartKind } from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { readLivePartInput, readNamedLivePartInput } from './inputs.ts';

type NamedKind = 'topic' | 'group' | 'consumers';

/** Parts of the cluster as a whole. */
export function readLivePart<Kind extends Exclude<LivePartKind, NamedKind>>(kind: Kind) {
  return procedure('cluster:read')
    .input(readLivePartInput)
    .query(({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind }));
}

/** One topic or group, null if there is none with that name; or the consumers of one topic. */
export function readNamedLivePart<Kind extends NamedKind>(kind: Kind) {
  return procedure('cluster:read')
    .input(readNamedLivePartInput)
    .query(({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind }));
}
