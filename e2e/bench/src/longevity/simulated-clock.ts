// A clock that moves only on request. Due timers fire once per move, however long it is.
import type { Clock } from '@penstock/metadata';

interface Timer {
  dueMs: number;
  fire: () => void;
}

export class SimulatedClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, fire };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  soon(fire: () => void): void {
    setImmediate(fire);
  }

  /** Advances the clock and fires due timers. Times are whole milliseconds, as an owner's are. */
  moveTo(timeMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, Math.floor(timeMs));
    const due = [...this.#timers].filter((timer) => timer.dueMs <= this.#nowMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const timer of due) {
      this.#timers.delete(timer);
      timer.fire();
    }
  }
}
