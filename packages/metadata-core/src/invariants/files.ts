// Invariants of the file table: it counts the runs that lie in each file, and queues exactly those without any for deletion.
import { atLeast, atMost, equal, holds } from '../conditions/compare.ts';
import { doubleAt } from '../model/checked.ts';
import type { FileTable } from '../state/file-table.ts';

/** The live runs of each file, as the partitions have them. */
export class FileUse {
  readonly #runs: Float64Array;
  readonly #bytes: Float64Array;

  constructor(files: FileTable) {
    this.#runs = new Float64Array(files.slotLimit);
    this.#bytes = new Float64Array(files.slotLimit);
  }

  add(slot: number, bytes: number): void {
    this.#runs[slot] = doubleAt(this.#runs, slot) + 1;
    this.#bytes[slot] = doubleAt(this.#bytes, slot) + bytes;
  }

  runs(slot: number): number {
    return doubleAt(this.#runs, slot);
  }

  bytes(slot: number): number {
    return doubleAt(this.#bytes, slot);
  }

  /** Runs of all files. */
  get total(): number {
    return this.#runs.reduce((sum, runs) => sum + runs, 0);
  }
}

/** So many files are checked per step. */
const FILES_PER_STEP = 256;

export function* checkFiles(files: FileTable, use: FileUse): Generator<void, void, undefined> {
  const { waiting, leased } = files.queues();
  const dead = new Set([...waiting, ...leased].map(({ slot }) => slot));
  equal(dead.size, waiting.length + leased.length, 'a dead file is queued once');
  equal(files.dead, dead.size, 'dead files are counted');
  let [count, runs] = [0, 0];
  for (const [slot, { id, bytes, liveRuns, liveBytes, committedAtMs }] of files.files()) {
    atMost(slot, files.slotLimit - 1, 'a file has a slot that may be used');
    equal(files.slotOf(id), slot, 'a file is found by its id');
    equal(liveRuns, use.runs(slot), 'a file counts its runs');
    equal(liveBytes, use.bytes(slot), 'a file counts the bytes of its runs');
    atMost(liveBytes, bytes, 'the runs of a file fit in it');
    atLeast(committedAtMs, 0, 'a file was committed after the epoch');
    holds(dead.has(slot) === (liveRuns === 0), 'a file is queued for deletion exactly when it has no runs', slot);
    count += 1;
    runs += liveRuns;
    if (count % FILES_PER_STEP === 0) {
      yield;
    }
  }
  equal(count, files.size, 'files are counted');
  equal(runs, use.total, 'each run lies in a file that is known');
}
