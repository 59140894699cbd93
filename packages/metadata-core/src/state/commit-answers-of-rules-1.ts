// The commit memory of rules version 1, unchanged so that its journals replay as they were written. Its defect: the newest id timestamp
// that it has forgotten refuses all ids up to it, so one agent with a fast clock could cause others to be refused.
import { InvariantError } from '../model/assert.ts';
import { type Id, type IdKey, idKey, uuidV7TimeMs } from '../model/ids.ts';
import { ANSWER_MEMORY_MS, MAX_REMEMBERED_BATCHES } from '../model/limits.ts';
import type { CommitMemory, CommitObstacle, RememberedAnswer } from './commit-memory.ts';

/** Bytes of an answer's objects, keys and headers, besides its numbers. */
export const ANSWER_OVERHEAD_BYTES = 640;

export class CommitAnswersOfRules1 implements CommitMemory {
  #answers = new Map<IdKey, RememberedAnswer>();
  #batches = 0;
  #forgottenUpToMs = -1;

  get memoryBytes(): number {
    return this.#batches * 2 * Float64Array.BYTES_PER_ELEMENT + this.#answers.size * ANSWER_OVERHEAD_BYTES;
  }

  find(fileId: Id): RememberedAnswer | undefined {
    return this.#answers.get(idKey(fileId));
  }

  obstacle(_fileId: Id, idTimeMs: number): CommitObstacle | null {
    return idTimeMs <= this.#forgottenUpToMs ? 'forgotten' : null;
  }

  remember(answer: RememberedAnswer): void {
    this.#answers.set(idKey(answer.fileId), answer);
    this.#batches += answer.batchBaseOffset.length;
  }

  expire(nowMs: number): number {
    let forgotten = 0;
    for (const [key, answer] of this.#answers) {
      if (answer.answeredAtMs + ANSWER_MEMORY_MS > nowMs && this.#batches <= MAX_REMEMBERED_BATCHES) {
        break;
      }
      this.#answers.delete(key);
      this.#batches -= answer.batchBaseOffset.length;
      this.#forgottenUpToMs = Math.max(this.#forgottenUpToMs, uuidV7TimeMs(answer.fileId) ?? -1);
      forgotten += 1;
    }
    return forgotten;
  }

  /** Only rules version 2 has this command. */
  setClockBack(): never {
    throw new InvariantError('rules version 1 has no set-clock-back');
  }

  /** For the snapshot: all answers, oldest first, and the newest forgotten id timestamp (-1: none). */
  image(): { answers: RememberedAnswer[]; forgottenUpToMs: number } {
    return { answers: [...this.#answers.values()], forgottenUpToMs: this.#forgottenUpToMs };
  }

  static restore(image: { answers: RememberedAnswer[]; forgottenUpToMs: number }): CommitAnswersOfRules1 {
    const answers = new CommitAnswersOfRules1();
    answers.#forgottenUpToMs = image.forgottenUpToMs;
    for (const answer of image.answers) {
      answers.remember(answer);
    }
    return answers;
  }
}
