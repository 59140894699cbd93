// Parts of a cluster's live state, one question for each kind: what a page begins with, and asks again without a stream.

import type { LivePartKind } from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { readLivePartInput, readNamedLivePartInput } from './inputs.ts';

/** Of the cluster as a whole. */
export function readLivePart<Kind extends Exclude<LivePartKind, 'topic' | 'group'>>(kind: Kind) {
  return procedure('cluster:read')
    .input(readLivePartInput)
    .query(({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind }));
}

/** Of one topic or group; null when there is none of that name. */
export function readNamedLivePart<Kind extends 'topic' | 'group'>(kind: Kind) {
  return procedure('cluster:read')
    .input(readNamedLivePartInput)
    .query(({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind }));
}
