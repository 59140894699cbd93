// Lets one waiter sleep until something rings. What rings while nobody waits is not lost.

export interface Wake {
  ring(): void;
  /** Until the next ring, one that has come already, the abort of the signal, or the end of the time. */
  wait(signal: AbortSignal, atMost_ms?: number): Promise<void>;
}

export function createWake(): Wake {
  let hasRung = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wakeUp?.();
    },
    async wait(signal, atMost_ms) {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = atMost_ms === undefined ? undefined : setTimeout(done, atMost_ms);
          function done(): void {
            clearTimeout(timer);
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
