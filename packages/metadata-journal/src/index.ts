// The journal of virtual clusters: append, load and fence, in PostgreSQL or in memory.
export { AppendUncertain, Fenced, HistoryLost, JournalDamaged } from './errors.ts';
export {
  type ClusterIdentity,
  type Journal,
  type JournalEntry,
  joinParts,
  type Retention,
  type Snapshot,
  type Standing,
} from './journal.ts';
export type { DatabaseTime, HeldLease, LeaseAttempt, LeaseOwner, Leases, Renewal } from './leases.ts';
export { MemoryJournal } from './memory/memory-journal.ts';
export { MemoryLeases } from './memory/memory-leases.ts';
export { describePosition, isSamePosition, JOURNAL_START, type JournalPosition, positionAfter } from './position.ts';
export { PostgresJournal } from './postgres/postgres-journal.ts';
export { PostgresLeases } from './postgres/postgres-leases.ts';
