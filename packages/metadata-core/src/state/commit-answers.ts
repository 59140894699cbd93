// The memory of commits. Every id that was committed is remembered exactly until no clock can bring it back: ids with a time up to
// `forgottenUpToMs` are refused, all others are looked up. That time follows when commits were ANSWERED, by the owner's clock, a
// quarter of an hour ago. It never follows the time in an id, which comes from an agent: an agent with a fast clock can get nobody else
// refused, and ids that it took from the future stay remembered until the owner's clock has passed them, too.
import { MINUTE_MS } from '@penstock/units';
import { ID_BYTES, type Id, type IdKey, idKey, uuidV7TimeMs } from '../ids.ts';
import {
  ANSWER_MEMORY_MS,
  LEAST_ID_MEMORY_MS,
  MAX_REMEMBERED_ANSWER_BYTES,
  MAX_REMEMBERED_FILE_IDS,
  MAX_REMEMBERED_FILE_IDS_AHEAD,
} from '../limits.ts';
import { ANSWER_OVERHEAD_BYTES } from './commit-answers-of-rules-1.ts';
import type { CommitMemory, CommitObstacle, RememberedAnswer } from './commit-memory.ts';
import { FileIdSet } from './file-id-set.ts';

/** Share of the bound on ids. */
const NEARLY_FULL = 3 / 4;

/** Everything that a snapshot keeps. */
export interface CommitAnswersImage {
  forgottenUpToMs: number;
  /** By minute, oldest first: when the last commit of that minute was answered. */
  answeredMs: number[];
  /** Oldest first. */
  answers: RememberedAnswer[];
  /** Ids by the minute of their time, 16 bytes each; shared with the memory, which only ever adds to them. */
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

export class CommitAnswers implements CommitMemory {
  readonly #bounds: CommitMemoryBounds;
  readonly #answers = new Map<IdKey, RememberedAnswer>();
  #answerBytes = 0;
  /** By minute of the id's time. Holds every id that was committed, but for those up to `#forgottenUpToMs`. */
  readonly #ids = new Map<number, FileIdSet>();
  #idCount = 0;
  #answeredMs: number[] = [];
  #forgottenUpToMs = -1;

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /** Ids that are remembered exactly. */
  get size(): number {
    return this.#idCount;
  }

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

  expire(nowMs: number): number {
    let forgotten = 0;
    for (const [key, answer] of this.#answers) {
      // An answer from the future is one of an owner whose clock was wrong. Its id stays known.
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

  setClockBack(nowMs: number): void {
    for (const [key, answer] of this.#answers) {
      if (answer.answeredAtMs > nowMs) {
        // A new object: an image that was taken keeps the one that it has.
        this.#answers.set(key, { ...answer, answeredAtMs: nowMs });
      }
    }
    this.#noteAnswered(nowMs);
    // Ids up to here were given up a quarter of an hour ago by the clock that was ahead. Those that a commit could still bring lie after
    // the time that is right, where no owner with that clock would have taken them.
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

  /** Adds the next answer to a memory that is being restored. Its id comes by `restoreIds`. */
  restoreAnswer(answer: RememberedAnswer): void {
    this.#answers.set(idKey(answer.fileId), answer);
    this.#answerBytes += bytesOf(answer);
  }

  /** Goes on from what rules version 1 remembered: the ids that those rules no longer knew stay refused. */
  static afterRules1(before: { answers: RememberedAnswer[]; forgottenUpToMs: number }): CommitAnswers {
    const memory = new CommitAnswers();
    memory.#forgottenUpToMs = before.forgottenUpToMs;
    for (const answer of before.answers) {
      memory.remember(answer);
    }
    return memory;
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
    // An owner whose clock is right again: what was answered by a clock ahead of it must not count as long ago one day.
    while ((this.#answeredMs.at(-1) ?? 0) > nowMs) {
      this.#answeredMs.pop();
    }
    const last = this.#answeredMs.at(-1);
    if (last !== undefined && minuteOf(last) === minuteOf(nowMs)) {
      this.#answeredMs.pop();
    }
    this.#answeredMs.push(nowMs);
  }

  /** Near the bound ids are remembered for less long: only commits that come later than that are refused for it. */
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

  /** Of this minute and later: at least the ids that lie ahead. */
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
  return uuidV7TimeMs(id) ?? 0;
}

function bytesOf({ batchBaseOffset, batchErrorCode, runLogStartOffset }: RememberedAnswer): number {
  return ANSWER_OVERHEAD_BYTES + batchBaseOffset.byteLength + batchErrorCode.byteLength + runLogStartOffset.byteLength;
}
