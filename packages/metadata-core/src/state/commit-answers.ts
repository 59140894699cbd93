// The commit memory. Every committed id is remembered exactly until no clock can bring it back: ids with a timestamp up to
// `forgottenUpToMs` are refused, all others are looked up. That time is derived from when commits were ANSWERED, a quarter of an hour ago
// by the owner's clock. It never depends on the timestamp in an id, which comes from an agent. So an agent with a fast clock cannot cause
// others to be refused, and its ids from the future are remembered until the owner's clock has passed them too.

import { MINUTE_MS } from '@penstock/units';
import { present } from '../model/assert.ts';
import { ID_BYTES, type Id, type IdKey, idKey, uuidV7TimeMs } from '../model/ids.ts';
import {
  ANSWER_MEMORY_MS,
  LEAST_ID_MEMORY_MS,
  MAX_REMEMBERED_ANSWER_BYTES,
  MAX_REMEMBERED_FILE_IDS,
  MAX_REMEMBERED_FILE_IDS_AHEAD,
} from '../model/limits.ts';
import { FileIdSet } from './file-id-set.ts';

/** Immutable once remembered, because a snapshot in progress may read it later. */
export interface RememberedAnswer {
  readonly fileId: Id;
  readonly answeredAtMs: number;
  readonly batchBaseOffset: Float64Array;
  /** The code per batch; empty if all are 0. */
  readonly batchErrorCode: Int32Array;
  readonly runLogStartOffset: Float64Array;
}

/** Why an id without a remembered answer cannot be committed. */
export type CommitObstacle =
  /** It was committed, or may have been. */
  | 'forgotten'
  /** Its timestamp is ahead of the owner's clock, and the memory holds the maximum of such ids. */
  | 'too-many-ahead'
  /** There is no room for another id until others have expired. */
  | 'full';

/** Bytes of an answer's objects, keys and headers, besides its numbers. */
const ANSWER_OVERHEAD_BYTES = 640;

/** Share of the limit on ids. */
const NEARLY_FULL = 3 / 4;

/** The contents of a snapshot. */
export interface CommitAnswersImage {
  forgottenUpToMs: number;
  /** By minute, oldest first: when the last commit of that minute was answered. */
  answeredMs: number[];
  /** The responses, oldest first. */
  answers: RememberedAnswer[];
  /** Ids by the minute of their timestamps, 16 bytes each. Shared with the memory, which only appends to them. */
  minutes: { minute: number; ids: Uint8Array }[];
}

export interface CommitMemoryBounds {
  ids: number;
  idsAhead: number;
  answerBytes: number;
}

const BOUNDS: CommitMemoryBounds = {
  ids: MAX_REMEMBERED_FILE_IDS,
  idsAhead: MAX_REMEMBERED_FILE_IDS_AHEAD,
  answerBytes: MAX_REMEMBERED_ANSWER_BYTES,
};

export class CommitAnswers {
  readonly #bounds: CommitMemoryBounds;
  readonly #answers = new Map<IdKey, RememberedAnswer>();
  #answerBytes = 0;
  /** By the minute of the id's timestamp. Holds every committed id, except those up to `#forgottenUpToMs`. */
  readonly #ids = new Map<number, FileIdSet>();
  #idCount = 0;
  #answeredMs: number[] = [];
  #forgottenUpToMs = -1;

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /** The number of ids that are remembered exactly. */
  get size(): number {
    return this.#idCount;
  }

  /** The approximate memory use. */
  get memoryBytes(): number {
    let bytes = this.#answerBytes;
    for (const ids of this.#ids.values()) {
      bytes += ids.memoryBytes;
    }
    return bytes;
  }

  find(fileId: Id): RememberedAnswer | undefined {
    return this.#answers.get(idKey(fileId));
  }

  /** Null: the id was never committed, and there is room to remember it. */
  obstacle(fileId: Id, idTimeMs: number, nowMs: number): CommitObstacle | null {
    if (idTimeMs <= this.#forgottenUpToMs) {
      return 'forgotten';
    }
    if (this.#ids.get(minuteOf(idTimeMs))?.has(fileId) === true) {
      return this.#answers.has(idKey(fileId)) ? null : 'forgotten';
    }
    if (this.#idCount >= this.#bounds.ids) {
      return 'full';
    }
    return idTimeMs > nowMs && this.#countAhead(nowMs) >= this.#bounds.idsAhead ? 'too-many-ahead' : null;
  }

  remember(answer: RememberedAnswer): void {
    this.#answers.set(idKey(answer.fileId), answer);
    this.#answerBytes += bytesOf(answer);
    this.#addId(answer.fileId);
    this.#noteAnswered(answer.answeredAtMs);
  }

  /** Removes what is old or beyond the limits. Returns how much was removed; 0: nothing has changed. */
  expire(nowMs: number): number {
    let forgotten = 0;
    for (const [key, answer] of this.#answers) {
      // An answer from the future was given by an owner whose clock was wrong. Its id stays known.
      const isOld = Math.abs(nowMs - answer.answeredAtMs) >= ANSWER_MEMORY_MS;
      if (!isOld && this.#answerBytes <= this.#bounds.answerBytes) {
        break;
      }
      this.#answers.delete(key);
      this.#answerBytes -= bytesOf(answer);
      forgotten += 1;
    }
    let [oldestMs] = this.#answeredMs;
    while (oldestMs !== undefined && oldestMs + this.#idMemoryMs() <= nowMs) {
      this.#answeredMs.shift();
      this.#forgetUpTo(oldestMs);
      forgotten += 1;
      [oldestMs] = this.#answeredMs;
    }
    return forgotten;
  }

  /** Later times came from a clock that was ahead: they count as this one. */
  setClockBack(nowMs: number): void {
    for (const [key, answer] of this.#answers) {
      if (answer.answeredAtMs > nowMs) {
        // A new object, because an image taken earlier keeps the old one.
        this.#answers.set(key, { ...answer, answeredAtMs: nowMs });
      }
    }
    this.#noteAnswered(nowMs);
    // By the clock that was ahead, ids up to here are a quarter of an hour old. Those that can still be committed are after the
    // correct time, where no owner with that clock would have accepted them.
    this.#forgottenUpToMs = Math.min(this.#forgottenUpToMs, nowMs);
  }

  image(): CommitAnswersImage {
    return {
      forgottenUpToMs: this.#forgottenUpToMs,
      answeredMs: [...this.#answeredMs],
      answers: [...this.#answers.values()],
      minutes: [...this.#ids].map(([minute, ids]) => ({ minute, ids: ids.bytes() })),
    };
  }

  static restore(image: CommitAnswersImage): CommitAnswers {
    const restored = new CommitAnswers();
    restored.#forgottenUpToMs = image.forgottenUpToMs;
    for (const { minute, ids } of image.minutes) {
      restored.restoreIds(minute, ids);
    }
    for (const answer of image.answers) {
      restored.restoreAnswer(answer);
    }
    restored.#answeredMs = [...image.answeredMs];
    return restored;
  }

  /** Adds ids of one minute to a memory that is being restored. */
  restoreIds(minute: number, ids: Uint8Array): void {
    const set = this.#ids.get(minute) ?? new FileIdSet();
    this.#ids.set(minute, set);
    for (let at = 0; at < ids.length; at += ID_BYTES) {
      this.#idCount += set.add(ids.subarray(at, at + ID_BYTES)) ? 1 : 0;
    }
  }

  /** Adds the next answer to a memory that is being restored. `restoreIds` adds its id. */
  restoreAnswer(answer: RememberedAnswer): void {
    this.#answers.set(idKey(answer.fileId), answer);
    this.#answerBytes += bytesOf(answer);
  }

  #addId(id: Id): void {
    const minute = minuteOf(timeOf(id));
    let ids = this.#ids.get(minute);
    if (ids === undefined) {
      ids = new FileIdSet();
      this.#ids.set(minute, ids);
    }
    this.#idCount += ids.add(id) ? 1 : 0;
  }

  #noteAnswered(nowMs: number): void {
    // The owner's clock is right again: answers by a clock that was ahead must not count as long ago later.
    while ((this.#answeredMs.at(-1) ?? 0) > nowMs) {
      this.#answeredMs.pop();
    }
    const last = this.#answeredMs.at(-1);
    if (last !== undefined && minuteOf(last) === minuteOf(nowMs)) {
      this.#answeredMs.pop();
    }
    this.#answeredMs.push(nowMs);
  }

  /** How long ids are remembered: shorter near the limit, so that only commits that arrive later than that are refused. */
  #idMemoryMs(): number {
    return this.#idCount >= this.#bounds.ids * NEARLY_FULL ? LEAST_ID_MEMORY_MS : ANSWER_MEMORY_MS;
  }

  #forgetUpTo(timeMs: number): void {
    if (timeMs <= this.#forgottenUpToMs) {
      return;
    }
    this.#forgottenUpToMs = timeMs;
    for (const [minute, ids] of this.#ids) {
      if (minute > minuteOf(timeMs)) {
        continue;
      }
      const kept = new FileIdSet();
      if (minute === minuteOf(timeMs)) {
        for (const id of ids.values()) {
          if (timeOf(id) > timeMs) {
            kept.add(id);
          }
        }
      }
      this.#idCount += kept.size - ids.size;
      if (kept.size === 0) {
        this.#ids.delete(minute);
      } else {
        this.#ids.set(minute, kept);
      }
    }
  }

  /** The ids of this minute and later; includes all ids in the future. */
  #countAhead(nowMs: number): number {
    let count = 0;
    for (const [minute, ids] of this.#ids) {
      count += minute >= minuteOf(nowMs) ? ids.size : 0;
    }
    return count;
  }
}

function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS);
}

function timeOf(id: Id): number {
  return present(uuidV7TimeMs(id), 'time in the id of a file');
}

function bytesOf({ batchBaseOffset, batchErrorCode, runLogStartOffset }: RememberedAnswer): number {
  return ANSWER_OVERHEAD_BYTES + batchBaseOffset.byteLength + batchErrorCode.byteLength + runLogStartOffset.byteLength;
}
