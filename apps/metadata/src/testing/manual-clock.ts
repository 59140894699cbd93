// A clock that moves only when a test advances it.
import type { HostClock } from '../owners/clock.ts';

interface Timer {
  dueMs: number;
  fire: () => void;
}

export class ManualClock implements HostClock {
  #timeMs: number;
  #wallOffsetMs = 0;
  #suspendedMs = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 1_760_000_000_000) {
    this.#timeMs = startMs;
  }

  nowMs(): number {
    return Math.floor(this.#timeMs + this.#wallOffsetMs);
  }

  monotonicMs(): number {
    return this.#timeMs;
  }

  bootMs(): number {
    return this.#timeMs + this.#suspendedMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const timer = { dueMs: this.#timeMs + delayMs, fire };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  soon(fire: () => void): void {
    setImmediate(fire);
  }

  /** Sets the wall clock back, as when it is corrected or another machine's is behind. The monotonic clock continues. */
  setBack(byMs: number): void {
    this.#wallOffsetMs -= byMs;
  }

  /** Simulates a suspension of the machine: the wall clock and the time since boot advance, the monotonic clock does not. */
  suspend(forMs: number): void {
    this.#suspendedMs += forMs;
    this.#wallOffsetMs += forMs;
  }

  /** Advances time and fires due timers in order. Promises that a timer settles run before the next timer. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#timeMs + byMs;
    await settle();
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (due === undefined) {
        break;
      }
      this.#timers.delete(due);
      this.#timeMs = Math.max(this.#timeMs, due.dueMs);
      due.fire();
      await settle();
    }
    this.#timeMs = endMs;
  }
}

/** Lets everything run that waits only for other promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
