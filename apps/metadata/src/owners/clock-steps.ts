// How an owner handles time that goes back: when the database's clock was set, or a cluster moved to a database with another clock.
import type { CommandOf } from '@penstock/metadata-core';

/** The state machine tolerates a step back of up to this; some timeouts then expire that much later. */
const TOLERATED_STEP_BACK_MS = 60_000;

/** The commands to apply first when the latest time in the history is `latestMs` and the next entry's time is `nowMs`. */
export function clockCommands(latestMs: number, nowMs: number): CommandOf<'set-clock-back'>[] {
  return latestMs - nowMs > TOLERATED_STEP_BACK_MS ? [{ kind: 'set-clock-back', fromMs: latestMs }] : [];
}
