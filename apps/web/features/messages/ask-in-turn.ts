// Queries an agent several times in sequence, to search all partitions of a topic for a key.
import type { Answer, BrowsedRecord } from './ask-agent.ts';
import { continued, type Question } from './question.ts';

export interface FoundRecord extends BrowsedRecord {
  partition: number;
}

/** The result of a round of queries. */
export interface Round {
  /** In the order in which they were requested. */
  records: FoundRecord[];
  scannedRecords: number;
  unreadable: (Answer['unreadable'][number] & { partition: number })[];
  /** The remaining queries: where responses ended, and partitions that this round did not reach. At most one query per partition. */
  rest: Question[];
  /** Why the last response ended. */
  stopped: Answer['stopped'];
  /** The agent that responded last. */
  url: string;
}

/** The most partitions per round, so that users do not wait for a thousand. */
export const MOST_QUESTIONS = 50;

/** Queries until the requested number of records is found. @throws what `ask` throws */
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
  // Partitions that were not queried yet come first.
  round.rest = [...questions.slice(asked), ...open];
  return round;
}
