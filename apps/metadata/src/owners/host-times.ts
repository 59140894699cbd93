// The clocks of this machine at one moment, and whether the machine was suspended since.
import type { HostClock } from './clock.ts';

/** Reading the time since boot takes microseconds; between two readings the monotonic clock advances it. */
const BOOT_READING_INTERVAL_MS = 50;
/** The two clocks differ by more than this only after a suspension: one of them has a resolution of 10 ms. */
const SUSPENSION_MS = 250;

export interface Moment {
  monotonicMs: number;
  wallMs: number;
  bootMs: number;
}

export class HostTimes {
  readonly #clock: HostClock;
  readonly #onSuspended: (forMs: number) => void;
  /** Time since boot minus monotonic time: how long the machine was suspended in all. The largest value seen is the most accurate. */
  #suspendedMs = Number.NEGATIVE_INFINITY;
  #bootReadAtMs = Number.NEGATIVE_INFINITY;
  #wallOffsetMs = 0;

  /** @param onSuspended the machine was suspended for this long. Called when the clocks are next read */
  constructor(clock: HostClock, onSuspended: (forMs: number) => void = () => undefined) {
    this.#clock = clock;
    this.#onSuspended = onSuspended;
    this.#readBoot();
  }

  now(): Moment {
    const monotonicMs = this.#clock.monotonicMs();
    const wallMs = this.#clock.nowMs();
    const hasWallJumped = Math.abs(wallMs - monotonicMs - this.#wallOffsetMs) > SUSPENSION_MS;
    if (hasWallJumped || monotonicMs - this.#bootReadAtMs >= BOOT_READING_INTERVAL_MS) {
      this.#readBoot();
    }
    return { monotonicMs, wallMs, bootMs: monotonicMs + this.#suspendedMs };
  }

  /** Like `now`, with the boot time read again. */
  read(): Moment {
    this.#readBoot();
    return this.now();
  }

  #readBoot(): void {
    const bootMs = this.#clock.bootMs();
    // Read second: a pause between the two reads can only make the difference too small, never too large.
    this.#bootReadAtMs = this.#clock.monotonicMs();
    this.#wallOffsetMs = this.#clock.nowMs() - this.#bootReadAtMs;
    const suspendedMs = bootMs - this.#bootReadAtMs;
    const grownMs = suspendedMs - this.#suspendedMs;
    this.#suspendedMs = Math.max(this.#suspendedMs, suspendedMs);
    if (Number.isFinite(grownMs) && grownMs > SUSPENSION_MS) {
      this.#onSuspended(grownMs);
    }
  }
}

/** Whether no clock has reached the deadline. If one of them stood still or was set, the others still show it. */
export function isBefore(now: Moment, deadline: Moment): boolean {
  return now.monotonicMs < deadline.monotonicMs && now.wallMs < deadline.wallMs && now.bootMs < deadline.bootMs;
}
