// The owners' clocks. Only this folder reads the time; the state machine receives it with each command.
import { uptime } from 'node:os';
import type { Timers } from '@penstock/platform';

export interface Clock extends Timers {
  /** Milliseconds since the Unix epoch: the host's wall clock or, for an owner, the database's time (see `DatabaseClock`). */
  nowMs(): number;
  /** Milliseconds since some fixed moment; never goes back. Leases and timers use it. */
  monotonicMs(): number;
  /** Calls `fire` in the next turn of the event loop, after everything that has already arrived. */
  soon(fire: () => void): void;
}

/** The clocks of this machine, as the lease keeper needs them. */
export interface HostClock extends Clock {
  /** Milliseconds since the machine booted, including time suspended. Takes microseconds to read: too slow for every read. */
  bootMs(): number;
}

// The longest delay of a Node timer; a longer one would fire at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: HostClock = {
  nowMs: () => Date.now(),
  // CLOCK_MONOTONIC itself, so that threads can compare; `performance.now()` counts from the start of each thread.
  monotonicMs: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  // On Linux, libuv reads CLOCK_BOOTTIME (as /proc/uptime), which continues while the machine is suspended; CLOCK_MONOTONIC stops.
  bootMs: () => uptime() * 1_000,
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
  soon: (fire) => void setImmediate(fire),
};
