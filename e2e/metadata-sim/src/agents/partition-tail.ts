// What an agent knows about one partition from its watch stream: the newest runs and the watermarks.
import type { Bounds, FoundRun } from '../auditor/log-auditor.ts';

const RECENT_RUNS = 128;

export interface WireRun {
  fileId: Uint8Array;
  position: bigint;
  bytes: number;
  baseOffset: bigint;
  records: number;
}

export function foundRun(run: WireRun): FoundRun {
  return {
    file: Buffer.from(run.fileId).toString('hex'),
    position: Number(run.position),
    bytes: run.bytes,
    baseOffset: Number(run.baseOffset),
    records: run.records,
  };
}

export class PartitionTail {
  #recent: FoundRun[] = [];
  #bounds: Bounds | undefined;
  #isCurrent = false;

  /** Undefined while the stream does not keep them current. */
  get currentBounds(): Bounds | undefined {
    return this.#isCurrent ? this.#bounds : undefined;
  }

  /** The known runs from this offset on. */
  runsFrom(offset: number): FoundRun[] {
    const first = this.#recent.findIndex((run) => run.baseOffset + run.records > offset);
    const runs = first < 0 ? [] : this.#recent.slice(first);
    return (runs[0]?.baseOffset ?? Number.POSITIVE_INFINITY) <= offset ? runs : [];
  }

  startTracking(bounds: Bounds): void {
    this.#advance(bounds);
    this.#isCurrent = true;
  }

  /** Drops the known runs, because their files are gone. */
  forgetRuns(): void {
    this.#recent = [];
  }

  loseTrack(): void {
    this.#isCurrent = false;
  }

  update(bounds: Bounds, runs: readonly FoundRun[]): void {
    for (const run of runs) {
      const last = this.#recent.at(-1);
      const end = last === undefined ? run.baseOffset : last.baseOffset + last.records;
      if (end > run.baseOffset) {
        continue; // told twice, around a reconnection
      }
      if (end < run.baseOffset) {
        this.#recent = [];
      }
      this.#recent.push(run);
      if (this.#recent.length > RECENT_RUNS) {
        this.#recent.shift();
      }
    }
    this.#advance(bounds);
    this.#isCurrent = true;
  }

  #advance({ logStartOffset, highWatermark }: Bounds): void {
    this.#bounds = {
      logStartOffset: Math.max(this.#bounds?.logStartOffset ?? 0, logStartOffset),
      highWatermark: Math.max(this.#bounds?.highWatermark ?? 0, highWatermark),
    };
    const start = this.#bounds.logStartOffset;
    this.#recent = this.#recent.filter((run) => run.baseOffset + run.records > start);
  }
}
