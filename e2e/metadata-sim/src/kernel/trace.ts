// All events of a run, as one hash: two runs of a seed must give the same hash.
import { createHash } from 'node:crypto';

const RECENT_EVENTS = 60;

export class Trace {
  /** True time in milliseconds, which each event includes. */
  clock: () => number = () => 0;
  readonly #hash = createHash('sha256');
  readonly #recent: string[] = [];
  readonly #onEvent: ((event: string) => void) | undefined;

  /** @param onEvent is called with each event as it happens */
  constructor(onEvent?: (event: string) => void) {
    this.#onEvent = onEvent;
  }

  add(text: string): void {
    const event = `${this.clock().toFixed(3)} ${text}`;
    this.#hash.update(event).update('\n');
    this.#recent.push(event);
    if (this.#recent.length > RECENT_EVENTS) {
      this.#recent.shift();
    }
    this.#onEvent?.(event);
  }

  /** Whether events are passed to a listener. */
  get isWatched(): boolean {
    return this.#onEvent !== undefined;
  }

  /** A remark for the listener; not part of the hash. */
  remark(text: string): void {
    this.#onEvent?.(`${this.clock().toFixed(3)} ${text}`);
  }

  /** The last events, oldest first: what led to a failure. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Ends the trace and returns its hash. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}
