// A cluster's turn among all clusters of the process, for work between its calls.
import type { Clock } from './clock.ts';

export interface TurnOptions {
  clock: Pick<Clock, 'after'>;
  /** Waits for a turn among all clusters. Undefined: go on at once. It throws when too many calls of the cluster are waiting. */
  turn: () => Promise<void> | undefined;
}

/** Does the work when it is the cluster's turn. While too many calls are waiting, it asks again every `retryMs`. */
export function inTurn({ clock, turn }: TurnOptions, retryMs: number, work: () => void): void {
  const askAgain = (): void => {
    clock.after(retryMs, () => inTurn({ clock, turn }, retryMs, work));
  };
  let waiting: Promise<void> | undefined;
  try {
    waiting = turn();
  } catch {
    askAgain();
    return;
  }
  if (waiting === undefined) {
    work();
  } else {
    waiting.then(work, askAgain);
  }
}
