// How an owner handles time that goes back: after a wrong clock in an earlier version, or when the database's clock was set.
import type { CommandOf, RulesVersion } from '@penstock/metadata-core';

/** The state machine tolerates a step back of up to this; some timeouts then expire that much later. */
const TOLERATED_STEP_BACK_MS = 60_000;

/**
 * The commands to apply first when the latest time in the history is `latestMs` and the next entry's time is `nowMs`. None below rules
 * level 2, since the previous release does not know the command. There time goes back all the same, and anything with a deadline ahead of
 * it waits until then.
 */
export function clockCommands(rules: RulesVersion, latestMs: number, nowMs: number): CommandOf<'set-clock-back'>[] {
  return rules >= 2 && latestMs - nowMs > TOLERATED_STEP_BACK_MS ? [{ kind: 'set-clock-back', fromMs: latestMs }] : [];
}
