// The journal of virtual clusters: append, load and fence, in PostgreSQL or in memory.
export { CellDeadFiles } from './cells/cell-dead-files.ts';
export { CellJournal } from './cells/cell-journal.ts';
export { CellLeases } from './cells/cell-leases.ts';
export { type CellAnswer, Cells, UnknownCell } from './cells/cells.ts';
export { type CleanResult, cleanCell } from './cells/clean-cell.ts';
export { completeMove } from './cells/complete-move.ts';
export { CopyDiffers, MoveSuperseded } from './cells/copy-cluster.ts';
export { type CellDirectory, Homes, PostgresCellDirectory, UnknownCluster } from './cells/homes.ts';
export { checkCell, initCell, NotACell } from './cells/init-cell.ts';
export {
  CannotMove,
  type MoveBarrier,
  type MoveOptions,
  type MoveResult,
  moveBarriers,
  moveCluster,
} from './cells/move-cluster.ts';
export type { DeadFile, DeadFiles, DeadFileTotals, TakeOptions } from './dead-files.ts';
export { AppendUncertain, Fenced, HistoryLost, JournalDamaged } from './errors.ts';
export type {
  ClusterIdentity,
  Journal,
  JournalEntry,
  PositionStatus,
  Retention,
  Snapshot,
} from './journal.ts';
export type { DatabaseTime, HeldLease, LeaseAttempt, LeaseHolding, LeaseOwner, Leases, Renewal } from './leases.ts';
export { MemoryDeadFiles } from './memory/memory-dead-files.ts';
export { MemoryJournal } from './memory/memory-journal.ts';
export { MemoryLeases } from './memory/memory-leases.ts';
export { describePosition, isSamePosition, JOURNAL_START, type JournalPosition, positionAfter } from './position.ts';
export {
  type FoldedCluster,
  forgetCluster,
  forgetClusterAtHome,
  type JournalExtent,
  type JournalRow,
  markFolded,
  readBacklog,
  readExtent,
  readExtents,
  readOpenClusters,
  readStoppedClusters,
  readStretch,
  readStretches,
  readUnfolded,
  type StretchBounds,
  type Stretches,
} from './postgres/journal-queries.ts';
export { PostgresDeadFiles } from './postgres/postgres-dead-files.ts';
export { PostgresJournal } from './postgres/postgres-journal.ts';
export { PostgresLeases } from './postgres/postgres-leases.ts';
export { type Replication, type ReplicationKind, readReplication } from './postgres/replication.ts';
export { MemoryProcesses } from './processes/memory-processes.ts';
export { PostgresProcesses } from './processes/postgres-processes.ts';
export type { ListedProcess, Processes, ProcessReport } from './processes/processes.ts';
export { MemoryStops } from './stops/memory-stops.ts';
export { PostgresStops } from './stops/postgres-stops.ts';
export {
  acceptLostTail,
  inspectStopped,
  type ResumeDatabases,
  resumeMended,
  resumeRestored,
  SPARED_AFTER_MS,
  SPARED_BEFORE_MS,
  SPARED_FOR_MS,
  type StoppedCluster,
} from './stops/resume.ts';
export type {
  ClusterFault,
  ClusterPast,
  ClusterStop,
  LostTail,
  Resolution,
  SparedFiles,
  Stops,
} from './stops/stops.ts';
export { formatWitnessed, parseWitnessed, type WitnessedPosition } from './stops/witnessed-position.ts';
