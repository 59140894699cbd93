// How an append or a load can fail. An owner steps down on each of them; the type says what is known about the entry.

/** Another owner has appended at this sequence number: the caller's state is stale. The entry was not stored. */
export class Fenced extends Error {
  override readonly name = 'Fenced';

  constructor(clusterId: string, seq: number) {
    super(`journal of cluster ${clusterId}: entry ${seq} was written by another owner`);
  }
}

/** The connection or the database failed during the append: the entry may or may not be durable. Reload before going on. */
export class AppendUncertain extends Error {
  override readonly name = 'AppendUncertain';

  constructor(clusterId: string, seq: number, cause: unknown) {
    super(`journal of cluster ${clusterId}: the outcome of appending entry ${seq} is unknown`, { cause });
  }
}

/** The stored journal or snapshot is not what an owner could have written: a missing entry or an incomplete snapshot. */
export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';

  constructor(clusterId: string, detail: string) {
    super(`journal of cluster ${clusterId}: ${detail}`);
  }
}
