// Retention of one cluster: looks at its partitions in steps, so that other clusters have their turn between them, and has the state machine
// remove what has expired in those found.
import { type AnswerByKind, type ClusterState, type CommandOf, expiryDue } from '@penstock/metadata-core';
import type { Clock } from './clock.ts';
import { inTurn } from './turns.ts';

/** About a millisecond of looking, and a command of at most this many partitions. */
const PARTITIONS_PER_STEP = 1_000;
/** After there was no turn. */
const RETRY_MS = 1_000;

export interface RetentionSweepOptions {
  state: ClusterState;
  clock: Clock;
  /** Waits for a turn among all clusters. Undefined: go on at once. It may throw when too many calls are waiting. */
  turn: () => Promise<void> | undefined;
  /** Applies a command. Null: the owner cannot now; the sweep ends, and the next one finds the rest. */
  apply: (command: CommandOf<'expire-runs'>) => AnswerByKind['expire-runs'] | null;
}

export class RetentionSweep {
  readonly #options: RetentionSweepOptions;
  #isStopped = false;

  constructor(options: RetentionSweepOptions) {
    this.#options = options;
  }

  /** Resolves when all partitions were looked at. */
  async run(): Promise<void> {
    const { state, clock } = this.#options;
    for (const topics of expiryDue(state, () => clock.nowMs(), PARTITIONS_PER_STEP)) {
      if (!(await this.#expire(topics))) {
        return;
      }
      await this.#nextTurn();
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** @returns whether the sweep goes on */
  async #expire(topics: CommandOf<'expire-runs'>['topics']): Promise<boolean> {
    while (topics.length > 0 && !this.#isStopped) {
      const answer = this.#options.apply({ kind: 'expire-runs', topics });
      if (answer === null || answer.isComplete) {
        return answer !== null;
      }
      await this.#nextTurn();
    }
    return !this.#isStopped;
  }

  async #nextTurn(): Promise<void> {
    const { clock } = this.#options;
    await new Promise<void>((resolve) => clock.soon(resolve));
    await new Promise<void>((resolve) => inTurn(this.#options, RETRY_MS, resolve));
  }
}
