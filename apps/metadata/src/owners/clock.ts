// The owners' clock. Only this folder reads time; the state machine gets it with each command.

export interface Clock {
  /** Wall time, milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds since some fixed moment; never goes back. Leases and timers are measured with it. */
  monotonicMs(): number;
  /** Calls `fire` once after the delay. Returns a function that cancels it. */
  after(delayMs: number, fire: () => void): () => void;
  /** Calls `fire` in the next turn of the event loop, after what has arrived by now. */
  soon(fire: () => void): void;
}

// The longest delay that a Node timer can hold; a longer one would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
  soon: (fire) => void setImmediate(fire),
};

/** Calls `fire` every `intervalMs` until the returned function is called. A run that takes longer than that is not overlapped. */
export function repeat(clock: Clock, intervalMs: number, fire: () => void | Promise<void>): () => void {
  let isStopped = false;
  let cancel = schedule();
  function schedule(): () => void {
    return clock.after(intervalMs, async () => {
      await fire();
      if (!isStopped) cancel = schedule();
    });
  }
  return () => {
    isStopped = true;
    cancel();
  };
}
