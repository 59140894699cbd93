// What a cluster remembers about committed files: their answers, for retries, and their ids, so that none is committed twice. The rules
// changed with version 2; a cluster below that level keeps the memory of version 1.
import type { Id } from '../model/ids.ts';

/** Immutable once remembered, because a snapshot in progress may read it later. */
export interface RememberedAnswer {
  readonly fileId: Id;
  readonly answeredAtMs: number;
  readonly batchBaseOffset: Float64Array;
  /** Empty: all 0. */
  readonly batchErrorCode: Int32Array;
  readonly runLogStartOffset: Float64Array;
}

/** Why an id without a remembered answer cannot be committed. */
export type CommitObstacle =
  /** It was committed, or may have been. */
  | 'forgotten'
  /** Its timestamp is ahead of the owner's clock, and the memory holds the maximum of such ids. */
  | 'too-many-ahead'
  /** There is no room for another id until others have expired. */
  | 'full';

export interface CommitMemory {
  /** The approximate memory use. */
  readonly memoryBytes: number;
  find(fileId: Id): RememberedAnswer | undefined;
  /** Null: the id was never committed, and there is room to remember it. */
  obstacle(fileId: Id, idTimeMs: number, nowMs: number): CommitObstacle | null;
  remember(answer: RememberedAnswer): void;
  /** Later times came from a clock that was ahead: they count as this one. */
  setClockBack(nowMs: number): void;
  /** Removes what is old or beyond the limits. Returns how much was removed; 0: nothing has changed. */
  expire(nowMs: number): number;
}
