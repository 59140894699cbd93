// What this process uses: memory, processor, and how long its one thread kept callers waiting.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** A delay is seen when it is longer, and measured to within this. */
const RESOLUTION_MS = 10;
const NS_PER_S = 1_000_000_000;
const US_PER_S = 1_000_000;

export interface ProcessUsage {
  residentBytes: number;
  /** CPU time, user and system together. */
  cpuSeconds: number;
  /** Delay of the event loop since the last reading. */
  delay: { p99Seconds: number; longestSeconds: number };
}

export class ProcessMeter {
  readonly #delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#delays.enable();
  }

  /** Begins the next period. */
  read(): ProcessUsage {
    const { user, system } = process.cpuUsage();
    const isEmpty = this.#delays.count === 0;
    const delay = {
      p99Seconds: isEmpty ? 0 : this.#delays.percentile(99) / NS_PER_S,
      longestSeconds: isEmpty ? 0 : this.#delays.max / NS_PER_S,
    };
    this.#delays.reset();
    return { residentBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / US_PER_S, delay };
  }

  stop(): void {
    this.#delays.disable();
  }
}
