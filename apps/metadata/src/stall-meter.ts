// How long this process's one thread was busy without looking at its connections: a stall of one tenant's making delays all others.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge } from '@penstock/telemetry';

/** A stall is seen when it is longer, and measured to within this. */
const RESOLUTION_MS = 5;
const NS_PER_S = 1_000_000_000;

export class StallMeter {
  readonly #recent: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #longestNs = 0;

  constructor() {
    this.#recent.enable();
  }

  stop(): void {
    this.#recent.disable();
  }

  /** Reading them begins the next period. */
  metrics(): ReturnType<typeof gauge>[] {
    const { max, count } = this.#recent;
    const [recentNs, p99Ns] = count === 0 ? [0, 0] : [max, this.#recent.percentile(99)];
    this.#longestNs = Math.max(this.#longestNs, recentNs);
    this.#recent.reset();
    return [
      gauge(
        'penstock_metadata_event_loop_stall_seconds',
        'The longest time that the one thread was busy without a look at its connections, since these metrics were read last. Includes 5 ms of the timer.',
        [{ value: recentNs / NS_PER_S }],
      ),
      gauge('penstock_metadata_event_loop_stall_p99_seconds', 'The 99th percentile of the same.', [
        { value: p99Ns / NS_PER_S },
      ]),
      gauge('penstock_metadata_event_loop_longest_stall_seconds', 'The longest one since the process started.', [
        { value: this.#longestNs / NS_PER_S },
      ]),
    ];
  }
}
