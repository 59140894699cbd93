// Everything that happened in a run, as one hash: two runs of a seed must give the same.
import { createHash } from 'node:crypto';

export class Trace {
  readonly #hash = createHash('sha256');
  readonly #recent: string[] = [];
  #events = 0;

  add(event: string): void {
    this.#hash.update(event).update('\n');
    this.#events += 1;
    this.#recent.push(event);
    if (this.#recent.length > 40) {
      this.#recent.shift();
    }
  }

  get events(): number {
    return this.#events;
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
