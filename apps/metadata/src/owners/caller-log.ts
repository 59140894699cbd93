// Lines of the operator's log that callers cause. A program with a stolen key could fill the disk of every tenant's process with them.
import { MINUTE_MS } from '@penstock/units';

const LINES_PER_MINUTE = 20;
const MAX_TEXT_LENGTH = 300;

export type Facts = Readonly<Record<string, string | number>>;

/** Writes at most 20 lines a minute, with texts of at most 300 characters, and says how many it left out. */
export class CallerLog {
  readonly #line: (facts: Facts, message: string) => void;
  readonly #monotonicMs: () => number;
  #minuteStartMs = Number.NEGATIVE_INFINITY;
  #written = 0;
  #leftOut = 0;

  constructor(line: (facts: Facts, message: string) => void, monotonicMs: () => number) {
    this.#line = line;
    this.#monotonicMs = monotonicMs;
  }

  write(facts: Facts, message: string): void {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#minuteStartMs >= MINUTE_MS) {
      if (this.#leftOut > 0) {
        this.#line({ lines: this.#leftOut }, 'left out lines about what agents and clients asked for');
      }
      this.#minuteStartMs = nowMs;
      this.#written = 0;
      this.#leftOut = 0;
    }
    if (this.#written >= LINES_PER_MINUTE) {
      this.#leftOut += 1;
      return;
    }
    this.#written += 1;
    const short = Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value,
    ]);
    this.#line(Object.fromEntries(short), message);
  }
}
