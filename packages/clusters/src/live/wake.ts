// Lets one waiter sleep until a signal. A signal that arrives while nobody waits is kept.
export interface Wake {
  ring(): void;
  /** Resolves at the next ring, for an earlier ring that nobody waited for, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
}

export function createWake(): Wake {
  let hasRung = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wakeUp?.();
    },
    async wait(signal) {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          function done(): void {
            signal.removeEventListener('abort', done);
            wakeUp = undefined;
            resolve();
          }
          wakeUp = done;
          signal.addEventListener('abort', done);
        });
      }
      hasRung = false;
    },
  };
}
