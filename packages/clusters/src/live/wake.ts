// Lets one waiter sleep until something rings. What rings while nobody waits is not lost.
export interface Wake {
  ring(): void;
  /** Until the next ring, one that has come already, or the abort of the signal. */
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
