// What a cluster knows of the files that were committed: their answers, for retries, and which ids were committed, so that none is
// committed twice. Its rules changed with version 2; a cluster below that level keeps the memory of version 1.
import type { Id } from '../ids.ts';

/** Never changed once it is remembered: a snapshot that is being taken reads it later. */
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
  /** Its time lies ahead of the owner's clock, and the memory holds as many of those as it may. */
  | 'too-many-ahead'
  /** There is no room for one more id until others are old enough. */
  | 'full';

export interface CommitMemory {
  /** What the memory takes, about. */
  readonly memoryBytes: number;
  find(fileId: Id): RememberedAnswer | undefined;
  /** Null: the id was never committed, and there is room to remember it. */
  obstacle(fileId: Id, idTimeMs: number, nowMs: number): CommitObstacle | null;
  remember(answer: RememberedAnswer): void;
  /** Times after this one were given by a clock that was ahead: they count as this one. */
  setClockBack(nowMs: number): void;
  /** Forgets what is old, or beyond the bounds. Returns how much was forgotten; 0: nothing has changed. */
  expire(nowMs: number): number;
}
