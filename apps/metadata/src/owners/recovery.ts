// Builds the state of a virtual cluster from its newest snapshot and the journal behind it, and closes the journal to every
// earlier owner.
import {
  apply,
  type ClusterState,
  type Command,
  encodeEntry,
  OLDEST_RULES,
  type RulesVersion,
} from '@penstock/metadata-core';
import { type ClusterIdentity, Fenced, type Journal, type JournalPosition } from '@penstock/metadata-journal';
import { MINUTE_MS } from '@penstock/units';
import type { Clock } from './clock.ts';
import { clockCommands } from './clock-steps.ts';
import { type LoadedState, loadState, replay } from './load-state.ts';

/** An earlier owner can slip in one append per attempt at most, and only while it still lives. */
const MAX_OPENING_ATTEMPTS = 20;
/** Others get a turn after so much work: a recovery must not be felt by the clusters that are open. */
const SLICE_MS = 10;

export interface Recovered {
  state: ClusterState;
  /** Of the entry that this opening appended: the last one of the journal. */
  position: JournalPosition;
  /** The time of the last entry. */
  lastCommandMs: number;
  /** Journal behind the snapshot. */
  replayedEntries: number;
  replayedBytes: number;
}

export interface RecoveryOptions {
  /** A snapshot, or the journal behind it, could not be used; the snapshot before it, or the whole journal, is used instead. */
  onSnapshotUnreadable: (seq: number, error: unknown) => void;
  /** Throws when the opening is no longer wanted: asked at each step and after each slice of work. */
  requireWanted?: () => void;
  /** The cluster follows at least these rules from here on; releases that do not know them can open it no more. */
  raiseRulesTo?: RulesVersion | undefined;
}

/**
 * @throws HistoryLost when a snapshot stands at an entry that the journal does not hold: what was durable is gone
 * @throws JournalDamaged when neither leads to a gapless history; CorruptDataError when the replay differs from what was metered
 */
export async function recover(
  journal: Journal,
  cluster: ClusterIdentity,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'soon'>,
  options: RecoveryOptions,
): Promise<Recovered> {
  const { onSnapshotUnreadable, requireWanted = () => undefined, raiseRulesTo = OLDEST_RULES } = options;
  const loading = { onSnapshotUnreadable, pause: inSlices(clock, requireWanted) };
  const recovered = await loadState(journal, cluster.clusterId, loading);
  for (let attempt = 1; ; attempt += 1) {
    requireWanted();
    try {
      // From here on the append of any earlier owner collides. The entry changes nothing, but where a clock was ahead or the level rises.
      const nowMs = clock.nowMs();
      const { state } = recovered;
      const isRaised = raiseRulesTo > state.rules;
      const rules = isRaised ? raiseRulesTo : state.rules;
      const commands: Command[] = [
        ...(isRaised ? [{ kind: 'raise-rules-level', level: rules } as const] : []),
        ...clockCommands(rules, latestMs(recovered), nowMs),
      ];
      recovered.position = await journal.append(cluster, recovered.position, encodeEntry({ nowMs, rules, commands }));
      for (const command of commands) {
        apply(state, command, nowMs, rules);
      }
      recovered.lastCommandMs = nowMs;
      return recovered;
    } catch (error) {
      // An append of an earlier owner that was still on its way came first: it counts.
      if (!(error instanceof Fenced) || attempt === MAX_OPENING_ATTEMPTS) {
        throw error;
      }
    }
    await replay(journal, cluster.clusterId, recovered, loading);
  }
}

/** The latest time in the history, as far as it is at hand: an agent's life leaves a mark each minute. */
function latestMs({ state, lastCommandMs }: LoadedState): number {
  return Math.max(lastCommandMs, state.lastMarkedMinute * MINUTE_MS);
}

/** What to await after every piece of work. */
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
