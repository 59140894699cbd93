// Which clusters are stopped because their journal lost acknowledged entries, and which of such losses were accepted.
import type { JournalPosition } from '../position.ts';
import type { WitnessedPosition } from './witnessed-position.ts';

/** A position that was durable and is not in the journal any more. */
export interface LostTail {
  /** Who knew it, in words for an operator. */
  readonly witness: string;
  readonly witnessed: WitnessedPosition;
  /** The last entry that the journal holds. */
  readonly last: JournalPosition;
}

export interface ClusterStop extends LostTail {
  readonly clusterId: string;
  /** Of the cluster's stops, from 1. */
  readonly number: number;
  readonly stoppedAtMs: number;
}

/** Files whose ids were made between `fromMs` and `toMs` may have been named by a lost tail. */
export interface SparedFiles {
  readonly fromMs: number;
  readonly toMs: number;
  /** Until then they are not to be collected as orphans. */
  readonly untilMs: number;
}

export interface ClusterPast {
  /** Set while the cluster is stopped. */
  readonly stop: ClusterStop | undefined;
  /** How many losses were accepted: the number of the present history. */
  readonly history: number;
  readonly spared: readonly SparedFiles[];
}

export type Resolution =
  /** The journal holds the witnessed position again. */
  | { readonly kind: 'restored'; readonly by: string }
  /** The lost entries are given up: a new history begins where the journal ends. */
  | { readonly kind: 'accepted'; readonly by: string; readonly spared: SparedFiles };

export interface Stops {
  /** What an opening must know of a cluster. */
  past(clusterId: string): Promise<ClusterPast>;

  /** Of these clusters, those that are stopped. */
  among(clusterIds: readonly string[]): Promise<ClusterStop[]>;

  /**
   * Stops a cluster. Returns what it is stopped for: this loss, or one that was noticed before. Undefined when the witness speaks of
   * a history whose loss was accepted since: nothing is stopped then.
   */
  stop(clusterId: string, loss: LostTail): Promise<ClusterStop | undefined>;

  /** Ends a stop; it stays on record. False when the cluster was not stopped for this one (any more). */
  resolve(stop: ClusterStop, resolution: Resolution): Promise<boolean>;
}
