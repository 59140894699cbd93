// Files of level 0 that wait to be merged, in commit order, with the base offset of each of their runs. Uses 16 bytes per run and 40 per
// file, in flat columns, because a backlog can have millions of either. Markers are only counted: a job finds them around its runs.
import { doubleAt } from '../model/checked.ts';

/** A committed file. Its runs may have left the index since: look them up there before use. */
export interface WaitingFile {
  committedAtMs: number;
  bytes: number;
  /** Ends of transactions that came after the file before it. */
  markers: number;
  /** It lies in landing buckets. */
  isLanded: boolean;
  /** Per run, its partition: see `placeOf`. */
  places: Float64Array;
  baseOffsets: Float64Array;
}

const PARTITION_SPAN = 2 ** 20;

/** One number for a partition of a topic. The caller numbers the topics. */
export function placeOf(topic: number, partition: number): number {
  return topic * PARTITION_SPAN + partition;
}

export function topicOfPlace(place: number): number {
  return Math.floor(place / PARTITION_SPAN);
}

export function partitionOfPlace(place: number): number {
  return place % PARTITION_SPAN;
}

const INITIAL_ROOM = 64;

/** A queue of numbers. */
class Column {
  #values = new Float64Array(INITIAL_ROOM);
  #head = 0;
  #tail = 0;

  get length(): number {
    return this.#tail - this.#head;
  }

  first(): number {
    return doubleAt(this.#values, this.#head);
  }

  push(value: number): void {
    if (this.#tail === this.#values.length) {
      this.#makeRoom();
    }
    this.#values[this.#tail] = value;
    this.#tail += 1;
  }

  /** Removes and returns the oldest ones. */
  take(count: number): Float64Array {
    const taken = this.#values.slice(this.#head, this.#head + count);
    this.#head += count;
    return taken;
  }

  #makeRoom(): void {
    const { length } = this;
    // Doubles the room: moving the values is amortized over as many pushes.
    const values = new Float64Array(INITIAL_ROOM + 2 * length);
    values.set(this.#values.subarray(this.#head, this.#tail));
    this.#values = values;
    this.#head = 0;
    this.#tail = length;
  }
}

export class RunQueue {
  readonly #committedAtMs = new Column();
  readonly #bytes = new Column();
  readonly #runs = new Column();
  readonly #markers = new Column();
  /** 1 for files in landing buckets. */
  readonly #landed = new Column();
  /** Commit times of these. */
  readonly #landedAtMs = new Column();
  readonly #places = new Column();
  readonly #baseOffsets = new Column();
  #totalBytes = 0;
  #totalMarkers = 0;

  get files(): number {
    return this.#committedAtMs.length;
  }

  get runs(): number {
    return this.#places.length;
  }

  /** Rows that jobs read for its files: runs and markers. */
  get rows(): number {
    return this.runs + this.#totalMarkers;
  }

  get bytes(): number {
    return this.#totalBytes;
  }

  /** The commit time of the oldest file; infinite when there is none. */
  get oldestMs(): number {
    return this.files === 0 ? Number.POSITIVE_INFINITY : this.#committedAtMs.first();
  }

  /** The commit time of the oldest file in landing buckets; infinite when there is none. */
  get oldestLandedMs(): number {
    return this.#landedAtMs.length === 0 ? Number.POSITIVE_INFINITY : this.#landedAtMs.first();
  }

  /** The size of the oldest file. */
  get nextBytes(): number {
    return this.#bytes.first();
  }

  /** The runs of the oldest file, and the markers before it. */
  get nextRows(): number {
    return this.#runs.first() + this.#markers.first();
  }

  /** @param markers that came after the file before it */
  push(committedAtMs: number, bytes: number, runs: number, markers: number, isLanded: boolean): void {
    this.#landed.push(isLanded ? 1 : 0);
    if (isLanded) {
      this.#landedAtMs.push(committedAtMs);
    }
    this.#committedAtMs.push(committedAtMs);
    this.#bytes.push(bytes);
    this.#runs.push(runs);
    this.#markers.push(markers);
    this.#totalBytes += bytes;
    this.#totalMarkers += markers;
  }

  /** Call for each run of the file that was pushed last. */
  pushRun(place: number, baseOffset: number): void {
    this.#places.push(place);
    this.#baseOffsets.push(baseOffset);
  }

  /** Removes and returns the oldest file; the queue must not be empty. */
  shift(): WaitingFile {
    const [committedAtMs = 0] = this.#committedAtMs.take(1);
    const [bytes = 0] = this.#bytes.take(1);
    const [runs = 0] = this.#runs.take(1);
    const [markers = 0] = this.#markers.take(1);
    const isLanded = this.#landed.take(1)[0] === 1;
    if (isLanded) {
      this.#landedAtMs.take(1);
    }
    this.#totalBytes -= bytes;
    this.#totalMarkers -= markers;
    return {
      committedAtMs,
      bytes,
      markers,
      isLanded,
      places: this.#places.take(runs),
      baseOffsets: this.#baseOffsets.take(runs),
    };
  }
}
