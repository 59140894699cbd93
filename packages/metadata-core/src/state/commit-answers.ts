// Answers of recent commits by file id: a retry gets the same one. Oldest first, bounded by age and by size. Whatever the clocks of
// successive owners do, an id is applied at most once: ids as old as a forgotten one are refused (see `mayBeForgotten`).
import { type Id, type IdKey, idKey, uuidV7TimeMs } from '../ids.ts';
import { ANSWER_MEMORY_MS, MAX_REMEMBERED_BATCHES } from '../limits.ts';

/** Never changed once it is remembered: a snapshot that is being taken reads it later. */
export interface RememberedAnswer {
  readonly fileId: Id;
  readonly answeredAtMs: number;
  readonly batchBaseOffset: Float64Array;
  /** Empty: all 0. */
  readonly batchErrorCode: Int32Array;
  readonly runLogStartOffset: Float64Array;
}

export class CommitAnswers {
  #answers = new Map<IdKey, RememberedAnswer>();
  #batches = 0;
  #forgottenUpToMs = -1;

  find(fileId: Id): RememberedAnswer | undefined {
    return this.#answers.get(idKey(fileId));
  }

  /** Whether an answer for an id of this time may have been forgotten: then nobody knows whether it was committed. */
  mayBeForgotten(idTimeMs: number): boolean {
    return idTimeMs <= this.#forgottenUpToMs;
  }

  remember(answer: RememberedAnswer): void {
    this.#answers.set(idKey(answer.fileId), answer);
    this.#batches += answer.batchBaseOffset.length;
  }

  /** Forgets what is too old, and the oldest beyond the bound. Returns how many were forgotten. */
  expire(nowMs: number, maxBatches = MAX_REMEMBERED_BATCHES): number {
    let forgotten = 0;
    for (const [key, answer] of this.#answers) {
      if (answer.answeredAtMs + ANSWER_MEMORY_MS > nowMs && this.#batches <= maxBatches) {
        break;
      }
      this.#answers.delete(key);
      this.#batches -= answer.batchBaseOffset.length;
      this.#forgottenUpToMs = Math.max(this.#forgottenUpToMs, uuidV7TimeMs(answer.fileId) ?? -1);
      forgotten += 1;
    }
    return forgotten;
  }

  /**
   * Times after this one were given by a clock that was ahead. Ids from then on are no longer refused because such a one may have been
   * forgotten: whoever sent it has given up, since forgetting takes 15 minutes.
   */
  setClockBack(nowMs: number): void {
    for (const [key, answer] of this.#answers) {
      if (answer.answeredAtMs > nowMs) {
        this.#answers.set(key, { ...answer, answeredAtMs: nowMs });
      }
    }
    this.#forgottenUpToMs = Math.min(this.#forgottenUpToMs, nowMs);
  }

  /** For the snapshot: all answers, oldest first, and the newest id time that was forgotten (-1: none). */
  image(): { answers: RememberedAnswer[]; forgottenUpToMs: number } {
    return { answers: [...this.#answers.values()], forgottenUpToMs: this.#forgottenUpToMs };
  }

  static restore(image: { answers: RememberedAnswer[]; forgottenUpToMs: number }): CommitAnswers {
    const answers = new CommitAnswers();
    answers.#forgottenUpToMs = image.forgottenUpToMs;
    for (const answer of image.answers) {
      answers.remember(answer);
    }
    return answers;
  }
}
