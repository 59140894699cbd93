// Finds what is to be merged in a state that was just recovered: walks over all runs, some at a time.

import { doubleAt, numberAt } from '../model/checked.ts';
import { type Id, type IdKey, idKey, isLandedId } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Topic } from '../state/topic.ts';
import { type MergePolicy, staysAsItIs } from './policy.ts';
import { placeOf, type RunQueue } from './run-queue.ts';

/** The most files that one survey remembers, besides the runs that the policy limits. */
const MAX_FILES = 262_144;
/** The range of commit times in a survey, in milliseconds: keeps them exact together with the files' numbers. */
const TIME_SPAN = 2 ** 34;

interface FoundFile {
  id: Id;
  committedAtMs: number;
  runs: number;
  bytes: number;
  /** Markers right before its runs. */
  markers: number;
  firstRun: number;
  lastRun: number;
}

export class Survey {
  readonly #state: ClusterState;
  readonly #policy: MergePolicy;
  readonly #beforeMs: number;
  readonly #topicNumber: (topic: IdKey) => number;
  readonly #topics: Iterator<Topic>;
  #topic: Topic | undefined;
  #partition = 0;
  #row = 0;
  /** Markers since the last run of the partition. */
  #markers = 0;
  /** By slot, in the order in which they were found. */
  readonly #files = new Map<number, number>();
  readonly #found: FoundFile[] = [];
  /** Per run, the next one of its file. */
  readonly #nextRun: number[] = [];
  readonly #places: number[] = [];
  readonly #baseOffsets: number[] = [];
  /** Files of level 1, by slot. */
  readonly #merged = new Map<number, number>();
  #missedUntilMs: number | null = null;
  /** Found files in commit order, once all are found. */
  #order: Float64Array | null = null;
  /** How many of them are queued. */
  #filled = 0;

  /**
   * @param beforeMs files committed from then on are known already
   * @param topicNumber gives a topic its number in places
   */
  constructor(state: ClusterState, policy: MergePolicy, beforeMs: number, topicNumber: (topic: IdKey) => number) {
    this.#state = state;
    this.#policy = policy;
    this.#beforeMs = beforeMs;
    this.#topicNumber = topicNumber;
    this.#topics = state.topics.values();
    this.#topic = this.#topics.next().value;
  }

  /** The commit time of the newest file with a run that did not fit into the survey. Null: everything fit. */
  get missedUntilMs(): number | null {
    return this.#missedUntilMs;
  }

  /** Commit times of the files of level 1, oldest first. */
  get mergedAtMs(): number[] {
    return [...this.#merged.values()].sort((a, b) => a - b);
  }

  /** Visits some more runs, at 30 to 60 ns each. True: all have been visited. */
  step(maxRuns: number): boolean {
    let left = maxRuns;
    while (left > 0 && this.#topic !== undefined) {
      const topic = this.#topic;
      const partition = topic.partitions[this.#partition];
      if (partition === undefined) {
        this.#topic = this.#topics.next().value;
        this.#partition = 0;
        left -= 1;
        continue;
      }
      const runs = partition.runs;
      const end = Math.min(runs?.length ?? 0, this.#row + left);
      if (runs !== null && end > this.#row) {
        this.#walk(topic, this.#row, end);
      }
      left -= Math.max(1, end - this.#row);
      this.#row = end;
      if (end >= (runs?.length ?? 0)) {
        this.#row = 0;
        this.#markers = 0;
        this.#partition += 1;
      }
    }
    return this.#topic === undefined;
  }

  /**
   * Adds the files of level 0 that were found to a queue, oldest first, until about this many runs are added. True: all have been added.
   */
  fill(queue: RunQueue, maxRuns: number): boolean {
    this.#order ??= this.#inOrder();
    for (let left = maxRuns; left > 0 && this.#filled < this.#order.length; this.#filled += 1) {
      const file = this.#found[doubleAt(this.#order, this.#filled) % MAX_FILES];
      if (file === undefined || staysAsItIs(this.#policy, file.id, file.bytes, file.runs)) {
        continue;
      }
      queue.push(file.committedAtMs, file.bytes, file.runs, file.markers, isLandedId(file.id));
      for (let run = file.firstRun, nth = 0; nth < file.runs; run = numberAt(this.#nextRun, run), nth += 1) {
        queue.pushRun(numberAt(this.#places, run), numberAt(this.#baseOffsets, run));
      }
      left -= file.runs;
    }
    return this.#filled === this.#order.length;
  }

  #inOrder(): Float64Array {
    const oldestMs = this.#found.reduce(
      (least, { committedAtMs }) => Math.min(least, committedAtMs),
      Number.POSITIVE_INFINITY,
    );
    return Float64Array.from(
      this.#found,
      ({ committedAtMs }, at) => Math.min(committedAtMs - oldestMs, TIME_SPAN) * MAX_FILES + at,
    ).sort();
  }

  #walk(topic: Topic, from: number, end: number): void {
    const runs = topic.partitions[this.#partition]?.runs;
    if (runs === undefined || runs === null) {
      return;
    }
    const { files } = this.#state;
    const place = placeOf(this.#topicNumber(idKey(topic.id)), this.#partition);
    for (let row = from; row < end; row += 1) {
      if (runs.isMarker(row)) {
        this.#markers += 1;
        continue;
      }
      const slot = runs.file(row);
      const level = files.level(slot);
      if (level === 1) {
        this.#merged.set(slot, files.committedAtMs(slot));
      } else if (level === 0 && files.committedAtMs(slot) < this.#beforeMs) {
        this.#note(slot, place, runs.baseOffset(row), runs.bytes(row));
      }
      this.#markers = 0;
    }
  }

  #note(slot: number, place: number, baseOffset: number, bytes: number): void {
    const committedAtMs = this.#state.files.committedAtMs(slot);
    let at = this.#files.get(slot);
    if (this.#places.length >= this.#policy.maxQueuedRuns || (at === undefined && this.#found.length >= MAX_FILES)) {
      this.#missedUntilMs = Math.max(this.#missedUntilMs ?? committedAtMs, committedAtMs);
      return;
    }
    const run = this.#places.push(place) - 1;
    this.#baseOffsets.push(baseOffset);
    this.#nextRun.push(0);
    if (at === undefined) {
      const id = this.#state.files.id(slot);
      at = this.#found.push({ id, committedAtMs, runs: 0, bytes: 0, markers: 0, firstRun: run, lastRun: run }) - 1;
      this.#files.set(slot, at);
    }
    const file = this.#found[at];
    if (file !== undefined) {
      this.#nextRun[file.lastRun] = run;
      file.lastRun = run;
      file.runs += 1;
      file.bytes += bytes;
      file.markers += this.#markers;
    }
  }
}
