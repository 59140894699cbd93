// Builds the state of a virtual cluster from its newest snapshot and the journal after it, and fences every earlier owner.
import {
  apply,
  type ClusterState,
  type Command,
  encodeEntry,
  NEWEST_RULES,
  type RulesVersion,
} from '@penstock/metadata-core';
import {
  type ClusterIdentity,
  Fenced,
  JOURNAL_START,
  type Journal,
  type JournalPosition,
} from '@penstock/metadata-journal';
import { MINUTE_MS } from '@penstock/units';
import type { Clock } from './clock.ts';
import { clockCommands } from './clock-steps.ts';
import { type LoadedState, type LoadOptions, loadState, replay } from './load-state.ts';

/** An earlier owner can get in at most one append per attempt, and only while it is alive. */
const MAX_OPENING_ATTEMPTS = 20;
/** Yields after this much work, so that a recovery does not delay the open clusters noticeably. */
const SLICE_MS = 10;

export interface Recovered {
  state: ClusterState;
  /** The position of the entry that this opening appended: the last one of the journal. */
  position: JournalPosition;
  /** The time of the last entry. */
  lastCommandMs: number;
  /** The opening raised the rules level of a cluster that had a history. */
  isRaised: boolean;
  /** Journal after the snapshot. */
  replayedEntries: number;
  replayedBytes: number;
}

export interface RecoveryOptions {
  /** A snapshot, or the journal after it, is unusable. The previous snapshot, or the whole journal, is used instead. */
  onSnapshotUnreadable: (seq: number, error: unknown) => void;
  /** Throws when the opening is no longer wanted. Called at each step and after each slice of work. */
  requireWanted?: () => void;
  /** The checks of the loaded state, as in `LoadOptions`. */
  checks?: LoadOptions['checks'];
  /** The lowest rules level that the cluster has from here on. Absent: the newest. */
  raiseRulesTo?: RulesVersion | undefined;
}

/**
 * @throws HistoryLost when a snapshot is at an entry that the journal does not hold: durable entries are lost
 * @throws JournalDamaged when no snapshot leads to a gapless history; CorruptDataError when the replay differs from what was metered;
 *   StateBroken when the replay, or the state that it leads to, breaks an invariant
 */
export async function recover(
  journal: Journal,
  cluster: ClusterIdentity,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'soon'>,
  options: RecoveryOptions,
): Promise<Recovered> {
  const { onSnapshotUnreadable, requireWanted = () => undefined, raiseRulesTo = NEWEST_RULES, checks } = options;
  const loading = { onSnapshotUnreadable, pause: inSlices(clock, requireWanted), checks };
  const recovered = await loadState(journal, cluster.clusterId, loading);
  for (let attempt = 1; ; attempt += 1) {
    requireWanted();
    try {
      // From here on, any earlier owner's append collides. The entry changes nothing, unless a clock was ahead or the level rises.
      const nowMs = clock.nowMs();
      const { state } = recovered;
      const isRaised = raiseRulesTo > state.rules;
      const hasHistory = recovered.position.seq > JOURNAL_START.seq;
      const rules = isRaised ? raiseRulesTo : state.rules;
      const commands: Command[] = [
        ...(isRaised ? [{ kind: 'raise-rules-level', level: rules } as const] : []),
        ...clockCommands(latestMs(recovered), nowMs),
      ];
      recovered.position = await journal.append(cluster, recovered.position, encodeEntry({ nowMs, rules, commands }));
      for (const command of commands) {
        apply(state, command, nowMs);
      }
      recovered.lastCommandMs = nowMs;
      return { ...recovered, isRaised: isRaised && hasHistory };
    } catch (error) {
      // An earlier owner's append that was still in flight came first: it counts.
      if (!(error instanceof Fenced) || attempt === MAX_OPENING_ATTEMPTS) {
        throw error;
      }
    }
    await replay(journal, cluster.clusterId, recovered, loading);
  }
}

/** The latest time in the history, as far as it is available: a live agent leaves a mark each minute. */
function latestMs({ state, lastCommandMs }: LoadedState): number {
  return Math.max(lastCommandMs, state.lastMarkedMinute * MINUTE_MS);
}

/** Returns the function to await after every piece of work. */
function inSlices(clock: Pick<Clock, 'monotonicMs' | 'soon'>, requireWanted: () => void): () => Promise<void> {
  let sliceStartedMs = clock.monotonicMs();
  return async () => {
    if (clock.monotonicMs() - sliceStartedMs < SLICE_MS) {
      return;
    }
    await new Promise<void>((resolve) => clock.soon(resolve));
    requireWanted();
    sliceStartedMs = clock.monotonicMs();
  };
}
