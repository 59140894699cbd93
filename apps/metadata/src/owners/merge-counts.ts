// What became of merge jobs, counted for /metrics over all clusters of a process.
import type { MergeJob, ReplacedRuns, ReplaceRuns, ReplaceRunsAnswer } from '@penstock/metadata-core';

/** As /metrics names them: the level of a merged file, or key compaction. */
export type JobKind = '1' | '2' | 'compact';
/** `lost`: its agent gave no sign of life for the length of a lease, or worked on it for too long. */
export type MergeEvent = 'handed-out' | 'lost' | ReplaceRunsAnswer['outcome'];

/** Of a job, or of its swap. */
export function kindOf({ level, compaction }: Pick<MergeJob | ReplaceRuns, 'level' | 'compaction'>): JobKind {
  if (compaction !== null) {
    return 'compact';
  }
  return level === 1 ? '1' : '2';
}

export class MergeCounts {
  readonly #jobs = new Map<string, { event: MergeEvent; kind: JobKind; count: number }>();
  #mergedBytes = 0;
  #replacedRuns = 0;
  #compactedBytes = 0;
  #removedBytes = 0;

  /** Of all swaps that were applied. */
  get mergedBytes(): number {
    return this.#mergedBytes;
  }

  get replacedRuns(): number {
    return this.#replacedRuns;
  }

  /** What compacted files took the place of, and how much less they have. */
  get compactedBytes(): number {
    return this.#compactedBytes;
  }

  get removedBytes(): number {
    return this.#removedBytes;
  }

  get jobs(): Iterable<Readonly<{ event: MergeEvent; kind: JobKind; count: number }>> {
    return this.#jobs.values();
  }

  handedOut(kind: JobKind): void {
    this.#add('handed-out', kind);
  }

  lost(kind: JobKind): void {
    this.#add('lost', kind);
  }

  /** An agent heard this of its swap. */
  answered(kind: JobKind, outcome: ReplaceRunsAnswer['outcome']): void {
    this.#add(outcome, kind);
  }

  /** A swap is durable. */
  replaced({ bytes, replacedBytes, replacedRuns, isCompacted }: ReplacedRuns): void {
    this.#mergedBytes += bytes;
    this.#replacedRuns += replacedRuns;
    if (isCompacted) {
      this.#compactedBytes += replacedBytes;
      // Many small batches, each compressed anew, may come out longer.
      this.#removedBytes += Math.max(0, replacedBytes - bytes);
    }
  }

  #add(event: MergeEvent, kind: JobKind): void {
    const key = `${event} ${kind}`;
    const counted = this.#jobs.get(key) ?? { event, kind, count: 0 };
    counted.count += 1;
    this.#jobs.set(key, counted);
  }
}
