// Several questions to an agent, one after the other: a key that is looked for in all partitions of a topic.
import type { Answer, BrowsedRecord } from './ask-agent.ts';
import { continued, type Question } from './question.ts';

export interface FoundRecord extends BrowsedRecord {
  partition: number;
}

/** What a round of questions has found. */
export interface Round {
  /** In the order in which they were asked for. */
  records: FoundRecord[];
  scannedRecords: number;
  unreadable: (Answer['unreadable'][number] & { partition: number })[];
  /** What there is still to ask: where answers ended, and partitions that this round did not come to. At most one question for each. */
  rest: Question[];
  /** Why the last answer ended. */
  stopped: Answer['stopped'];
  /** The agent that answered last. */
  url: string;
}

/** So many partitions are asked for at once, so that nobody waits for a thousand. */
export const MOST_QUESTIONS = 50;

/** Asks until as many records are found as were asked for. @throws what `ask` throws */
export async function askInTurn(
  questions: readonly Question[],
  ask: (question: Question) => Promise<{ answer: Answer; url: string }>,
): Promise<Round> {
  const round: Round = { records: [], scannedRecords: 0, unreadable: [], rest: [], stopped: 'end', url: '' };
  const open: Question[] = [];
  let asked = 0;
  for (const question of questions) {
    const wanted = question.limit - round.records.length;
    if (wanted <= 0 || asked === MOST_QUESTIONS) {
      break;
    }
    asked += 1;
    const { partition } = question;
    const { answer, url } = await ask({ ...question, limit: wanted });
    round.records.push(...answer.records.map((record) => ({ ...record, partition })));
    round.unreadable.push(...answer.unreadable.map((range) => ({ ...range, partition })));
    round.scannedRecords += answer.scannedRecords;
    round.stopped = answer.stopped;
    round.url = url;
    if (answer.nextOffset !== null) {
      open.push(continued(question, answer.nextOffset));
    }
  }
  // Partitions that nobody has looked into come first.
  round.rest = [...questions.slice(asked), ...open];
  return round;
}
