// Ends a stream when its reader loses access.
import { requireAccess } from '@penstock/identity';
import type { AccessChanges, Permission } from '@penstock/tenancy';
import type { ApiContext } from './context.ts';
import { toTrpcError } from './errors.ts';

export interface AccessGuard {
  /** Aborts when the reader disconnects or loses access, so that the stream releases its resources. */
  ending: AbortSignal;
  /** Forwards the events. Throws the refusal when access is lost. */
  guarded<T>(events: AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
  /** Stops watching, for a stream that was never opened. */
  release(): void;
}

/** Starts watching the access that a stream was opened with. */
export function guardAccess(
  backend: Pick<ApiContext['backend'], 'accounts' | 'logger'> & { accessChanges: AccessChanges },
  access: {
    sessionId: string;
    userId: string;
    organizationId: string;
    permission: Permission;
    clusterId: string | null;
  },
  hangUp: AbortSignal,
): AccessGuard {
  const lost = new AbortController();
  const refusal = Promise.withResolvers<never>();
  // The race below delivers it to the reader. Without a reader, it must not crash the process.
  refusal.promise.catch(() => undefined);
  const check = (): void => {
    requireAccess(backend.accounts, access, new Date()).catch((error: unknown) => {
      refusal.reject(toTrpcError(error));
      lost.abort();
    });
  };
  const unwatch = backend.accessChanges.watch(access.userId, check);
  // Catches changes between the first check and the start of the watch.
  check();
  const release = (): void => {
    unwatch();
    lost.abort();
  };
  return {
    release,
    ending: AbortSignal.any([hangUp, lost.signal]),
    async *guarded(events) {
      const iterator = events[Symbol.asyncIterator]();
      try {
        for (;;) {
          const step = await Promise.race([iterator.next(), refusal.promise]);
          if (step.done === true) {
            return;
          }
          // Drops an event that was under way when access was lost.
          if (lost.signal.aborted) {
            await refusal.promise;
          }
          yield step.value;
        }
      } catch (error) {
        // After a disconnect nobody reads a rejection, and an unhandled one would crash the process.
        if (!hangUp.aborted) {
          throw error;
        }
        backend.logger.debug({ err: error }, 'A stream failed after its reader had gone');
      } finally {
        release();
        // Not awaited: it waits for the current event, which comes only once the signal has been handled.
        void iterator.return?.()?.catch?.((error: unknown) => backend.logger.debug({ err: error }, 'A stream ended'));
      }
    },
  };
}
