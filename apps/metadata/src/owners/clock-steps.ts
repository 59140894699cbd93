// What an owner does about time that goes back: after a wrong clock of an earlier version, or a database whose clock was set.
import type { CommandOf, RulesVersion } from '@penstock/metadata-core';

/** The state machine takes a step back of up to this as it comes: some things end that much later. */
const TOLERATED_STEP_BACK_MS = 60_000;

/**
 * The commands that must come first when the history's latest time is `latestMs`, and the next entry's is `nowMs`. None below rules level 2:
 * the release before does not know the command. Time goes back all the same, and what waits for a time ahead of it waits until it comes.
 */
export function clockCommands(rules: RulesVersion, latestMs: number, nowMs: number): CommandOf<'set-clock-back'>[] {
  return rules >= 2 && latestMs - nowMs > TOLERATED_STEP_BACK_MS ? [{ kind: 'set-clock-back', fromMs: latestMs }] : [];
}
