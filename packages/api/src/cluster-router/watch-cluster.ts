// The live view of a cluster as server-sent events. Each event holds the whole view: a client that missed some has missed
// nothing. An owner that goes away is waited for here, so that the browser's connection stays and the page stays calm.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@penstock/platform';
import { watchCluster as watch } from '@penstock/services';
import { tracked } from '@trpc/server';
import { toTrpcError } from '../trpc/errors.ts';
import { procedure } from '../trpc/trpc.ts';
import { type ClusterWatchEvent, watchClusterInput } from './watch-cluster.types.ts';

const retryPause_ms = 1_000;

export const watchCluster = procedure('cluster:read')
  .input(watchClusterInput)
  .subscription(async function* ({ ctx, input }) {
    // Every subscription has one; the type knows it of none.
    const ending = ctx.ending ?? new AbortController().signal;
    let eventCount = 0;
    const event = (content: ClusterWatchEvent) => {
      eventCount += 1;
      return tracked(`${ctx.now.getTime()}-${eventCount}`, content);
    };
    let isReachable = true;
    while (!ending.aborted) {
      try {
        for await (const view of watch(ctx.backend, ctx.tenant, input, ending)) {
          isReachable = true;
          yield event({ state: 'live', view });
        }
      } catch (error) {
        // The code tells the client whether to come back; past the first event no middleware gives it one.
        if (!(error instanceof AppError) || error.kind !== 'unavailable') throw toTrpcError(error);
        if (isReachable) yield event({ state: 'unreachable', message: error.message });
        isReachable = false;
      }
      await pause(retryPause_ms, undefined, { signal: ending }).catch(() => undefined);
    }
  });
