// Keeps a stream open only as long as its reader may read it.
import { requireAccess } from '@penstock/identity';
import type { AccessChanges, Permission } from '@penstock/tenancy';
import type { ApiContext } from './context.ts';
import { toTrpcError } from './errors.ts';

export interface AccessGuard {
  /** Aborts when the reader hangs up or loses access: what the stream holds must let go then. */
  ending: AbortSignal;
  /** The same events, ended with the refusal when access is lost. */
  guarded<T>(events: AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
  /** For a stream that was never opened. */
  release(): void;
}

/** Starts to watch the access that a stream was opened with. */
export function guardAccess(
  backend: Pick<ApiContext['backend'], 'database' | 'logger'> & { accessChanges: AccessChanges },
  access: { sessionId: string; userId: string; organizationId: string; permission: Permission },
  hangUp: AbortSignal,
): AccessGuard {
  const lost = new AbortController();
  const refusal = Promise.withResolvers<never>();
  // Whoever reads gets it through the race below; an unread stream must not end the process.
  refusal.promise.catch(() => undefined);
  const check = (): void => {
    requireAccess(backend.database, access, new Date()).catch((error: unknown) => {
      refusal.reject(toTrpcError(error));
      lost.abort();
    });
  };
  const unwatch = backend.accessChanges.watch(access.userId, check);
  // What changed between the check at the door and the watch.
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
          // An event that was on its way when access was lost stays here.
          if (lost.signal.aborted) {
            await refusal.promise;
          }
          yield step.value;
        }
      } catch (error) {
        // Whoever hung up reads nothing more: a rejection that nobody waits for would end the process.
        if (!hangUp.aborted) {
          throw error;
        }
        backend.logger.debug({ err: error }, 'A stream failed after its reader had gone');
      } finally {
        release();
        // Not awaited: it waits for the event under way, which comes when the signal has been heard.
        void iterator.return?.()?.catch?.((error: unknown) => backend.logger.debug({ err: error }, 'A stream ended'));
      }
    },
  };
}
