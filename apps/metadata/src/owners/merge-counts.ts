// Counts the outcomes of merge jobs for /metrics, over all clusters of a process.
import type { MergeJob, ReplacedRuns, ReplaceRuns, ReplaceRunsAnswer } from '@penstock/metadata-core';

/** As /metrics names them: the level of a merged file, or key compaction. */
export type JobKind = '1' | '2' | 'compact';
/** `lost`: its agent did not renew it in time, or worked on it for too long. */
export type MergeEvent = 'handed-out' | 'lost' | ReplaceRunsAnswer['outcome'];

/** The kind of a job, or of its swap. */
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

  /** Bytes of all applied swaps. */
  get mergedBytes(): number {
    return this.#mergedBytes;
  }

  get replacedRuns(): number {
    return this.#replacedRuns;
  }

  /** The bytes that compacted files replaced, and how much smaller the new files are. */
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

  /** Counts the outcome that an agent was given for its swap. */
  answered(kind: JobKind, outcome: ReplaceRunsAnswer['outcome']): void {
    this.#add(outcome, kind);
  }

  /** Counts a durable swap. */
  replaced({ bytes, replacedBytes, replacedRuns, isCompacted }: ReplacedRuns): void {
    this.#mergedBytes += bytes;
    this.#replacedRuns += replacedRuns;
    if (isCompacted) {
      this.#compactedBytes += replacedBytes;
      // Many small batches, each compressed again, may come out larger.
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
