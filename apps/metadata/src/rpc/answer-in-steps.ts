// Answers to requests that list many things: made in steps, between which others have their turn, and bounded. One thing may be listed many
// times, and its description may be large.
import { Code, ConnectError } from '@connectrpc/connect';
import type { ClusterState } from '@penstock/metadata-core';
import type { Owner } from '../owners/owner.ts';

/** Number of items looked up per step, which takes a few milliseconds. */
const ITEMS_PER_STEP = 100;
const BYTES_PER_STEP = 256 * 1024;
/** Approximate maximum size of a response. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Size of an entry besides its texts. */
const ENTRY_BYTES = 40;

export interface Answering {
  owner: Pick<Owner, 'read'>;
  /** Waits for a turn among all clusters. Undefined: go on at once. */
  turn: () => Promise<void> | undefined;
}

/** For callers that have no turns of their own, as the control plane: connections are looked at between two steps. */
export const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * @param answer for one item
 * @param sizeOf about how many bytes an answer takes in the message
 * @returns the answers in the order of the items
 * @throws ConnectError resource_exhausted when they would be too large together
 */
export async function answerInSteps<Item, Answer>(
  { owner, turn }: Answering,
  items: readonly Item[],
  answer: (state: ClusterState, item: Item) => Answer,
  sizeOf: (answer: Answer) => number = () => 0,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let answerBytes = 0;
  do {
    if (answers.length > 0) {
      await turn();
    }
    await owner.read((state) => {
      const endBytes = answerBytes + BYTES_PER_STEP;
      for (const item of items.slice(answers.length, answers.length + ITEMS_PER_STEP)) {
        const next = answer(state, item);
        answers.push(next);
        answerBytes += ENTRY_BYTES + sizeOf(next);
        if (answerBytes >= endBytes) {
          break;
        }
      }
    });
    requireAnswerBytes(answerBytes);
  } while (answers.length < items.length);
  return answers;
}

/** @throws ConnectError resource_exhausted when an answer would be too large */
export function requireAnswerBytes(bytes: number, maxBytes = MAX_ANSWER_BYTES): void {
  if (bytes > maxBytes) {
    throw new ConnectError(
      `the answer would have more than ${maxBytes} bytes: ask for fewer at a time`,
      Code.ResourceExhausted,
    );
  }
}
