// The streams that pages hold open in this process: so many for each session, and none once the process leaves.
import { AppError } from '@penstock/platform';

/** One for each open tab; far more than anybody looks at. */
const DEFAULT_MOST_PER_SESSION = 24;

export interface OpenStream {
  /** Aborts when the process leaves. */
  ending: AbortSignal;
  /** Gives the place free; more than once is once. */
  release(): void;
}

export interface OpenStreams {
  /** @throws AppError `streams_too_many` */
  open(sessionId: string): OpenStream;
  /** Ends all, and lets none open any more. */
  close(): void;
}

export function createOpenStreams(mostPerSession = DEFAULT_MOST_PER_SESSION): OpenStreams {
  const counts = new Map<string, number>();
  const leaving = new AbortController();
  return {
    open(sessionId) {
      const count = counts.get(sessionId) ?? 0;
      if (count >= mostPerSession) {
        throw new AppError({
          kind: 'rate-limited',
          code: 'streams_too_many',
          message: `${mostPerSession} pages already receive live updates. This page updates every few seconds instead.`,
          remedy: 'Close other tabs to receive live updates here.',
        });
      }
      counts.set(sessionId, count + 1);
      let isOpen = true;
      return {
        ending: leaving.signal,
        release() {
          if (!isOpen) {
            return;
          }
          isOpen = false;
          const left = (counts.get(sessionId) ?? 1) - 1;
          if (left === 0) {
            counts.delete(sessionId);
          } else {
            counts.set(sessionId, left);
          }
        },
      };
    },
    close: () => leaving.abort(),
  };
}
