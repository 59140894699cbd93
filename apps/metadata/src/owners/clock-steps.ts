// What an owner does about time that goes back: after a wrong clock of an earlier version, or a database whose clock was set.
import type { CommandOf } from '@penstock/metadata-core';

/** The state machine takes a step back of up to this as it comes: some things end that much later. */
const TOLERATED_STEP_BACK_MS = 60_000;

/** The commands that must come first when the history's latest time is `latestMs`, and the next entry's is `nowMs`. */
export function clockCommands(latestMs: number, nowMs: number): CommandOf<'set-clock-back'>[] {
  return latestMs - nowMs > TOLERATED_STEP_BACK_MS ? [{ kind: 'set-clock-back', fromMs: latestMs }] : [];
}
