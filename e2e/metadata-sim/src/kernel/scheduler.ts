// Virtual time: a queue of events in a fixed order. Between two events, all pending promise callbacks run, so one seed always gives one
// history.

interface Event {
  dueMs: number;
  order: number;
  fire: (() => void) | undefined;
}

/** The first moment of every run. */
export const START_MS = 1_790_000_000_000;

export class Scheduler {
  #nowMs = START_MS;
  #order = 0;
  #fired = 0;
  #leaptMs = 0;
  readonly #heap: Event[] = [];

  /** True time, which no clock of the simulation shows exactly. Milliseconds since the Unix epoch. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Time since the start, without leaps. */
  get workedMs(): number {
    return this.#nowMs - START_MS - this.#leaptMs;
  }

  /** The number of events so far. Orders events that happen at the same time. */
  get fired(): number {
    return this.#fired;
  }

  /** Calls `fire` once after the delay. Returns a function that cancels it. */
  after(delayMs: number, fire: () => void): () => void {
    const event: Event = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order, fire };
    this.#order += 1;
    this.#push(event);
    return () => {
      event.fire = undefined;
    };
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Runs events for this long, leaps not counted, or until `isDone`. */
  async run(forMs: number, isDone: () => boolean = () => false): Promise<void> {
    const untilMs = this.workedMs + forMs;
    await settle();
    while (!isDone()) {
      const next = this.#heap[0];
      if (next === undefined || next.dueMs - START_MS - this.#leaptMs > untilMs) {
        return;
      }
      this.#pop();
      if (next.fire === undefined) {
        continue;
      }
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      this.#fired += 1;
      next.fire();
      await settle();
    }
  }

  /** Runs everything that is due until this moment, which it then is. */
  async runUntil(untilMs: number): Promise<void> {
    await this.run(untilMs - this.#leaptMs - START_MS - this.workedMs);
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  /** When the next event is due; null: nothing is left to do. */
  get nextDueMs(): number | null {
    while (this.#heap[0] !== undefined && this.#heap[0].fire === undefined) {
      this.#pop();
    }
    return this.#heap[0]?.dueMs ?? null;
  }

  /** Moves time forward at once. Events that were due meanwhile happen late, as after a suspension of everything. */
  leap(byMs: number): void {
    this.#leaptMs += byMs;
    this.#nowMs += byMs;
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(event, above)) {
        break;
      }
      heap[at] = above;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) {
      return;
    }
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let below = heap[child];
      if (below === undefined) {
        break;
      }
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, below)) {
        child += 1;
        below = right;
      }
      if (!isBefore(below, last)) {
        break;
      }
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

/** Node runs all microtasks before the next macrotask. A run must not wait for anything else in the event loop. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
