// What became of merge jobs, counted for /metrics over all clusters of a process.
import type { MergeJob, ReplacedRuns, ReplaceRunsAnswer } from '@penstock/metadata-core';

type Level = MergeJob['level'];
/** `lost`: its agent gave no sign of life for the length of a lease, or worked on it for too long. */
export type MergeEvent = 'handed-out' | 'lost' | ReplaceRunsAnswer['outcome'];

export class MergeCounts {
  readonly #jobs = new Map<string, { event: MergeEvent; level: Level; count: number }>();
  #mergedBytes = 0;
  #replacedRuns = 0;

  /** Of all swaps that were applied. */
  get mergedBytes(): number {
    return this.#mergedBytes;
  }

  get replacedRuns(): number {
    return this.#replacedRuns;
  }

  get jobs(): Iterable<Readonly<{ event: MergeEvent; level: Level; count: number }>> {
    return this.#jobs.values();
  }

  handedOut(level: Level): void {
    this.#add('handed-out', level);
  }

  lost(level: Level): void {
    this.#add('lost', level);
  }

  /** An agent heard this of its swap. */
  answered(level: Level, outcome: ReplaceRunsAnswer['outcome']): void {
    this.#add(outcome, level);
  }

  /** A swap is durable. */
  replaced({ bytes, replacedRuns }: ReplacedRuns): void {
    this.#mergedBytes += bytes;
    this.#replacedRuns += replacedRuns;
  }

  #add(event: MergeEvent, level: Level): void {
    const key = `${event} ${level}`;
    const counted = this.#jobs.get(key) ?? { event, level, count: 0 };
    counted.count += 1;
    this.#jobs.set(key, counted);
  }
}
