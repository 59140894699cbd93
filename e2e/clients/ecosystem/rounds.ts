// The reports of the parts' rounds, and a check that topics stop growing.
import type { TopicSize } from './stage.ts';

export interface RoundReport {
  part: 'streams' | 'connect' | 'registry' | 'mirror' | 'once' | 'flink';
  round: number;
  figures: Record<string, number>;
  sizes: ReadonlyMap<string, TopicSize>;
  /** The compacted topics of the round. */
  compacted: readonly string[];
}

export interface RoundsOptions {
  rounds: number;
  /** Whether each round waits until its topics are compacted. */
  compacts: boolean;
  report(round: RoundReport): void;
}

/** The first rounds fill the topics: tombstones are removed one round later than the records they hide. */
const FILLING_ROUNDS = 3;
/** Batches combine differently in each round, and offsets within records get longer. */
const TOLERANCE = 1.1;

/** Compacted topics that are larger after a later round than in the first ones. */
export function growing(reports: readonly RoundReport[]): string[] {
  const wrong: string[] = [];
  for (const topic of new Set(reports.flatMap(({ compacted }) => compacted))) {
    const bytes = reports
      .filter(({ compacted }) => compacted.includes(topic))
      .sort((left, right) => left.round - right.round)
      .map(({ sizes }) => sizes.get(topic)?.storedBytes ?? 0);
    const filled = Math.max(...bytes.slice(0, FILLING_ROUNDS));
    const largest = Math.max(0, ...bytes.slice(FILLING_ROUNDS));
    if (largest > filled * TOLERANCE) {
      wrong.push(`${topic} grows: ${bytes.join(', ')} bytes`);
    }
  }
  return wrong;
}
