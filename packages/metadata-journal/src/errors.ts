// How an append or a load can fail. The owner steps down on each of these errors; the type says what is known about the entry.
import { describePosition, type JournalPosition } from './position.ts';

/**
 * Another owner has appended after the position that the caller named: its state is stale, but part of the journal's history.
 * The entry was not stored.
 */
export class Fenced extends Error {
  override readonly name = 'Fenced';

  constructor(clusterId: string, seq: number) {
    super(`journal of cluster ${clusterId}: entry ${seq} was written by another owner`);
  }
}

/**
 * The journal's history does not contain the position that the caller named: durable entries are gone, or others have replaced them.
 * Nothing was stored.
 */
export class HistoryLost extends Error {
  override readonly name = 'HistoryLost';
  /** The position that the caller knows to have been durable. */
  readonly expected: JournalPosition;
  /** The last entry that the journal holds. */
  readonly last: JournalPosition;

  constructor(clusterId: string, expected: JournalPosition, last: JournalPosition) {
    super(
      `journal of cluster ${clusterId}: entry ${describePosition(expected)} was durable and is not in the journal, ` +
        `whose last entry is ${describePosition(last)}`,
    );
    this.expected = expected;
    this.last = last;
  }
}

/** The connection or the database failed during the append: the entry may or may not be durable. Reload before continuing. */
export class AppendUncertain extends Error {
  override readonly name = 'AppendUncertain';

  constructor(clusterId: string, seq: number, cause: unknown) {
    super(`journal of cluster ${clusterId}: the outcome of appending entry ${seq} is unknown`, { cause });
  }
}

/**
 * The stored journal or snapshot is not what an owner could have written: an entry is missing or was changed, or a snapshot is incomplete.
 */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';

  constructor(clusterId: string, detail: string) {
    super(`journal of cluster ${clusterId}: ${detail}`);
  }
}
