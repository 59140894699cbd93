// Parts of a cluster's live state, its health and its newest events as server-sent events. Each holds a whole part: a client that
// missed some has missed nothing. The id of each says which events of the log the client has by then. An owner that goes away is waited for, so that the browser's connection stays and the page stays calm.

import { tracked } from '@trpc/server';
import { toTrpcError } from '../trpc/errors.ts';
import { procedure } from '../trpc/trpc.ts';
import { watchClusterInput } from './inputs.ts';

/** An id before any event of the log was told. */
const noEvents = 'none';

export const watchCluster = procedure('cluster:read')
  .input(watchClusterInput)
  .subscription(async function* ({ ctx, input }) {
    // Every subscription has one; the type knows it of none.
    const ending = ctx.ending ?? new AbortController().signal;
    const watched = { ...input, knownEvents: input.lastEventId ?? null };
    let id = input.lastEventId ?? noEvents;
    try {
      for await (const update of ctx.backend.live.subscribe(ctx.reading, watched, ending)) {
        if (update.state === 'live' && update.kind === 'events') id = update.digest;
        yield tracked(id, update);
      }
    } catch (error) {
      // The code tells the client whether to come back; past the first event no middleware gives it one.
      throw toTrpcError(error);
    }
  });
