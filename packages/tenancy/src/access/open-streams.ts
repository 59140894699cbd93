// Counts the streams that browser tabs hold open in this process: a limit per session, and none while it shuts down.
import { AppError } from '@penstock/platform';

/** One per open tab. Far more tabs than anyone uses. */
const DEFAULT_MOST_PER_SESSION = 24;

export interface OpenStream {
  /** Aborts when the process shuts down. */
  ending: AbortSignal;
  /** Frees the place. Calling it again has no effect. */
  release(): void;
}

export interface OpenStreams {
  /** @throws AppError `streams_too_many` */
  open(sessionId: string): OpenStream;
  /** Ends all streams. Call it before the process exits. */
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
