// How long the event loop was blocked, by cause.
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;

export class Stalls {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #longestMs = new Map<string, number>();
  #longestGcMs = 0;

  constructor() {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { flags } = ('detail' in entry ? entry.detail : { flags: 0 }) as { flags: number };
        // Excludes garbage collections that the benchmark itself requests.
        if ((flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) === 0) {
          this.#longestGcMs = Math.max(this.#longestGcMs, entry.duration);
        }
      }
    }).observe({ entryTypes: ['gc'] });
  }

  /** Runs some of the owner's work and records its longest stall. */
  async during<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    this.#delay.reset();
    this.#delay.enable();
    const result = await work();
    // A stall is recorded when the monitor's timer fires after it.
    await new Promise((resolve) => setTimeout(resolve, 5 * RESOLUTION_MS));
    this.#delay.disable();
    this.#longestMs.set(what, Math.max(this.#longestMs.get(what) ?? 0, this.#delay.max / NS_PER_MS));
    return result;
  }

  get longestMs(): ReadonlyMap<string, number> {
    return this.#longestMs;
  }

  get worstMs(): number {
    return Math.max(0, ...this.#longestMs.values());
  }

  get longestGcMs(): number {
    return this.#longestGcMs;
  }
}
