// Applies recorded entries again.
import { apply } from './apply.ts';
import { decodeEntry } from './codec/entry.ts';
import { type EntryMeter, meterOf } from './codec/entry-meter.ts';
import { InvariantError } from './model/assert.ts';
import type { Command } from './model/command.ts';
import { CorruptDataError } from './model/corrupt-data-error.ts';
import { OLDEST_RULES } from './model/rules.ts';
import { applyOfLevel5 } from './replay-level-5.ts';
import type { ClusterState } from './state/cluster-state.ts';

/** A command of the journal broke an invariant when it was applied again. */
export class ReplayedCommandBroke extends InvariantError {
  override name = 'ReplayedCommandBroke';
  readonly command: Command;

  constructor(command: Command, cause: InvariantError) {
    super(cause.message, { cause });
    this.command = command;
  }
}

/**
 * For recovery: applies a journal entry again, and compares the outcome with what was metered when it was written. Returns the time of the
 * entry.
 * @throws CorruptDataError when the bytes are damaged, the entry was made at another level than the cluster's, or the replay accepts other
 *   batches than the owner did.
 * @throws ReplayedCommandBroke when a command breaks an invariant; the state must not be used after that
 */
export function replayEntry(state: ClusterState, bytes: Uint8Array): number {
  const { nowMs, rules, commands: recorded, meter } = decodeEntry(bytes);
  const [first] = recorded;
  const levelBehind = first?.kind === 'raise-rules-level' ? first.level : state.rules;
  if (rules !== levelBehind) {
    throw new CorruptDataError(
      `journal entry: made at rules level ${rules}, but the cluster is at level ${levelBehind}`,
    );
  }
  const again = rules === OLDEST_RULES ? applyOfLevel5 : apply;
  const replayed = meterOf(
    recorded.map((command) => {
      try {
        return again(state, command, nowMs).effects;
      } catch (error) {
        throw error instanceof InvariantError ? new ReplayedCommandBroke(command, error) : error;
      }
    }),
  );
  for (const [name, metered] of Object.entries(meter)) {
    const meteredAgain = replayed[name as keyof EntryMeter];
    if (meteredAgain !== metered) {
      throw new CorruptDataError(
        `journal entry: ${name} was ${metered} when it was written, and ${meteredAgain} in the replay`,
      );
    }
  }
  return nowMs;
}
