// Periodic work, one run at a time.

/** Sets timers: the system's, or a simulation's. */
export interface Timers {
  /** Calls `fire` once after the delay. Returns a function that cancels it. */
  after(delayMs: number, fire: () => void): () => void;
}

const systemTimers: Timers = {
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};

export interface EveryOptions {
  timers?: Timers;
  /** Starts with a run instead of a pause. */
  startsNow?: boolean;
}

/**
 * Calls `run` repeatedly, with a pause of `intervalMs` after each run. `run` handles its own errors.
 * @returns a function that stops it, and resolves once no run is under way
 */
export function every(
  intervalMs: number,
  run: () => void | Promise<void>,
  { timers = systemTimers, startsNow = false }: EveryOptions = {},
): () => Promise<void> {
  let isStopped = false;
  let cancel: () => void = () => undefined;
  let underWay: Promise<void> = Promise.resolve();

  function schedule(): void {
    cancel = timers.after(intervalMs, () => {
      underWay = runOnce();
    });
  }

  async function runOnce(): Promise<void> {
    await run();
    if (!isStopped) {
      schedule();
    }
  }

  if (startsNow) {
    underWay = runOnce();
  } else {
    schedule();
  }
  return async () => {
    isStopped = true;
    cancel();
    await underWay;
  };
}
