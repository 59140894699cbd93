// Everything that happened in a run, as one hash: two runs of a seed must give the same.
import { createHash } from 'node:crypto';

const RECENT_EVENTS = 60;

export class Trace {
  /** True time, in milliseconds; events carry it. */
  clock: () => number = () => 0;
  readonly #hash = createHash('sha256');
  readonly #recent: string[] = [];
  readonly #onEvent: ((event: string) => void) | undefined;

  /** @param onEvent hears of each event as it happens */
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

  /** Whether somebody reads along. */
  get isWatched(): boolean {
    return this.#onEvent !== undefined;
  }

  /** For whoever reads along; not part of the history. */
  remark(text: string): void {
    this.#onEvent?.(`${this.clock().toFixed(3)} ${text}`);
  }

  /** The last events, oldest first: what led to a failure. */
  get recent(): readonly string[] {
    return this.#recent;
  }

  /** Ends the trace. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}
