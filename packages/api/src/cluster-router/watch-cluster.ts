// Streams parts of a cluster's live state, its health and its newest events as server-sent events. Each event contains
// a whole part, so a client that missed some has lost nothing. The event id says which log events the client has. If
// the owner goes away, the stream waits for it instead of failing, so the browser does not reconnect.

import { tracked } from '@trpc/server';
import { toTrpcError } from '../trpc/errors.ts';
import { procedure } from '../trpc/trpc.ts';
import { watchClusterInput } from './inputs.ts';

/** The id before any log event was sent. */
const NO_EVENTS = 'none';

export const watchCluster = procedure('cluster:read')
  .input(watchClusterInput)
  .subscription(async function* ({ ctx, input }) {
    // Every subscription has one, although its type allows undefined.
    const ending = ctx.ending ?? new AbortController().signal;
    const watched = { ...input, knownEvents: input.lastEventId ?? null };
    let id = input.lastEventId ?? NO_EVENTS;
    try {
      for await (const update of ctx.backend.live.subscribe(ctx.reading, watched, ending)) {
        if (update.state === 'live' && update.kind === 'events') {
          id = update.digest;
        }
        yield tracked(id, update);
      }
    } catch (error) {
      // The code tells the client whether to reconnect. After the first event, no middleware adds one.
      throw toTrpcError(error);
    }
  });
