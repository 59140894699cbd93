// Which clusters are stopped: because their journal lost acknowledged entries, or because an invariant of their state is broken. And which
// of these losses were accepted.
import type { JournalPosition } from '../position.ts';
import type { WitnessedPosition } from './witnessed-position.ts';

/** The witness of a stop for a broken invariant. */
export const STATE_MACHINE = 'the state machine';

/** A position that was durable and is no longer in the journal. */
export interface LostTail {
  /** Who reported it, for operators. */
  readonly witness: string;
  readonly witnessed: WitnessedPosition;
  /** The last entry that the journal holds. */
  readonly last: JournalPosition;
}

/** An invariant of the cluster's state is broken, by this release of the state machine. */
export interface ClusterFault {
  /** The entry at which it was found. */
  readonly position: JournalPosition;
  /** The kind of the command at which it was found; empty when the journal behind the snapshot has none. */
  readonly command: string;
  /** SHA-256 of the command in hexadecimal digits, as in the log; empty without a command. */
  readonly sha256: string;
  /** The broken invariant with its values, for operators. */
  readonly message: string;
}

export interface ClusterStop extends LostTail {
  readonly clusterId: string;
  /** The number of this stop among the cluster's stops, from 1. */
  readonly number: number;
  readonly stoppedAtMs: number;
  /** Set when it stopped for a broken invariant. Then nothing is lost: both positions are the fault's. */
  readonly fault?: ClusterFault;
}

/** Files whose ids were made between `fromMs` and `toMs`, because lost entries may have named them. */
export interface SparedFiles {
  readonly fromMs: number;
  readonly toMs: number;
  /** They must not be collected as orphans before this time. */
  readonly untilMs: number;
}

export interface ClusterPast {
  /** Set while the cluster is stopped. */
  readonly stop: ClusterStop | undefined;
  /** How many losses were accepted: the number of the current history. */
  readonly history: number;
  readonly spared: readonly SparedFiles[];
}

export type Resolution =
  /** The journal holds the witnessed position again. */
  | { readonly kind: 'restored'; readonly by: string }
  /** The loss was accepted: a new history starts where the journal ends. */
  | { readonly kind: 'accepted'; readonly by: string; readonly spared: SparedFiles }
  /** A release runs that mends the broken invariant. */
  | { readonly kind: 'mended'; readonly by: string };

export interface Stops {
  /** Returns what must be known about a cluster's losses to open it. */
  past(clusterId: string): Promise<ClusterPast>;

  /** Those of these clusters that are stopped. */
  among(clusterIds: readonly string[]): Promise<ClusterStop[]>;

  /**
   * Stops a cluster. Returns the stop: for this loss, or for one that was reported before. Undefined when the witness belongs to a history
   * whose loss has been accepted since: nothing is stopped then.
   */
  stop(clusterId: string, loss: LostTail): Promise<ClusterStop | undefined>;

  /** Stops a cluster whose state is broken. Returns the stop: for this fault, or for whatever stopped it before. */
  halt(clusterId: string, fault: ClusterFault): Promise<ClusterStop>;

  /** Resolves a stop, which stays on record. False when the cluster was not, or is no longer, stopped for this one. */
  resolve(stop: ClusterStop, resolution: Resolution): Promise<boolean>;
}
