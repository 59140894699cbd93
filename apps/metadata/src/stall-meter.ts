// How long this process's one thread was busy without looking at its connections: a stall of one tenant's making delays all others.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge } from '@penstock/telemetry';

/** A stall is seen when it is longer, and measured to within this. */
const RESOLUTION_MS = 5;
/** How often the thread's CPU time is looked at. A turn that computes for longer delays the look, so its time stands between two. */
const CPU_LOOK_MS = 10;
const NS_PER_S = 1_000_000_000;
const US_PER_S = 1_000_000;

export class StallMeter {
  readonly #recent: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #timer: NodeJS.Timeout;
  #longestNs = 0;
  #used = process.threadCpuUsage();
  #recentCpuUs = 0;
  #longestCpuUs = 0;

  constructor() {
    this.#recent.enable();
    this.#timer = setInterval(() => this.#lookAtCpu(), CPU_LOOK_MS).unref();
  }

  stop(): void {
    this.#recent.disable();
    clearInterval(this.#timer);
  }

  /** Reading them begins the next period. */
  metrics(): ReturnType<typeof gauge>[] {
    const { max, count } = this.#recent;
    const [recentNs, p99Ns] = count === 0 ? [0, 0] : [max, this.#recent.percentile(99)];
    const recentCpuUs = this.#recentCpuUs;
    this.#longestNs = Math.max(this.#longestNs, recentNs);
    this.#recent.reset();
    this.#recentCpuUs = 0;
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
      gauge(
        'penstock_metadata_event_loop_stall_cpu_seconds',
        'The most CPU time that the thread used without a look at its connections, since these metrics were read last. A stall of less CPU time than clock time is the fault of the machine. Includes up to 10 ms of other turns.',
        [{ value: recentCpuUs / US_PER_S }],
      ),
      gauge('penstock_metadata_event_loop_longest_stall_cpu_seconds', 'The most since the process started.', [
        { value: this.#longestCpuUs / US_PER_S },
      ]),
    ];
  }

  #lookAtCpu(): void {
    const used = process.threadCpuUsage();
    const us = used.user - this.#used.user + used.system - this.#used.system;
    this.#used = used;
    this.#recentCpuUs = Math.max(this.#recentCpuUs, us);
    this.#longestCpuUs = Math.max(this.#longestCpuUs, us);
  }
}
