// Applies recorded entries again.
import { apply } from './apply.ts';
import { decodeEntry } from './codec/entry.ts';
import { type EntryMeter, meterOf } from './codec/entry-meter.ts';
import { CorruptDataError } from './model/corrupt-data-error.ts';
import type { ClusterState } from './state/cluster-state.ts';

/**
 * For recovery: applies a journal entry under the rules that it was made under, and compares the outcome with what was metered when it was
 * written. Returns the time of the entry.
 * @throws CorruptDataError when the bytes are damaged, the entry was made under other rules than the cluster's, or the replay accepts other
 *   batches than the owner did.
 */
export function replayEntry(state: ClusterState, bytes: Uint8Array): number {
  const { nowMs, rules, commands: recorded, meter } = decodeEntry(bytes);
  const [first] = recorded;
  const levelBehind = first?.kind === 'raise-rules-level' ? first.level : state.rules;
  if (rules !== levelBehind) {
    throw new CorruptDataError(`journal entry: made under rules ${rules}, but the cluster is at level ${levelBehind}`);
  }
  const replayed = meterOf(recorded.map((command) => apply(state, command, nowMs, rules).effects));
  for (const [name, metered] of Object.entries(meter)) {
    const again = replayed[name as keyof EntryMeter];
    if (again !== metered) {
      throw new CorruptDataError(
        `journal entry: ${name} was ${metered} when it was written, and ${again} in the replay`,
      );
    }
  }
  return nowMs;
}
