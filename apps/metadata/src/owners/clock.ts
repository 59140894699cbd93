// The owners' clocks. Only this folder reads time; the state machine gets it with each command.
import { uptime } from 'node:os';
import type { Timers } from '@penstock/platform';

export interface Clock extends Timers {
  /** Milliseconds since the Unix epoch: the host's wall clock, or for an owner the database's time (see `DatabaseClock`). */
  nowMs(): number;
  /** Milliseconds since some fixed moment; never goes back. Leases and timers are measured with it. */
  monotonicMs(): number;
  /** Calls `fire` in the next turn of the event loop, after what has arrived by now. */
  soon(fire: () => void): void;
}

/** The clocks of this machine, as the keeper of leases needs them. */
export interface HostClock extends Clock {
  /** Milliseconds since the machine started, those that it was suspended included. Costs microseconds: not for every read. */
  bootMs(): number;
}

// The longest delay that a Node timer can hold; a longer one would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: HostClock = {
  nowMs: () => Date.now(),
  // CLOCK_MONOTONIC as it is, so that threads can compare; `performance.now()` counts from the start of each thread.
  monotonicMs: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  // On Linux libuv reads CLOCK_BOOTTIME (as /proc/uptime), which goes on while the machine is suspended; CLOCK_MONOTONIC stops then.
  bootMs: () => uptime() * 1_000,
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
  soon: (fire) => void setImmediate(fire),
};
