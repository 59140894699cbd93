// What expires with time in one cluster: answers and grants, records beyond their retention, committed offsets, transactions.
import { type ClusterState, transactionDeadlineMs } from '@penstock/metadata-core';
import { every } from '@penstock/platform';
import type { Clock } from './clock.ts';
import type { Committer } from './committer.ts';
import { RetentionSweep } from './retention-sweep.ts';

const RETENTION_INTERVAL_MS = 30_000;
const OFFSET_EXPIRY_INTERVAL_MS = 600_000;
/** How often to look for transactions that have timed out. */
const TRANSACTION_TIMEOUT_INTERVAL_MS = 1_000;

export interface ExpiryOptions {
  state: ClusterState;
  committer: Committer;
  clock: Clock;
  /** Waits for a turn among all clusters. Undefined: go on at once. */
  turn: () => Promise<void> | undefined;
}

export class Expiry {
  readonly #options: ExpiryOptions;
  readonly #sweep: RetentionSweep;
  readonly #stops: (() => void)[];

  constructor(options: ExpiryOptions) {
    const { clock, committer } = options;
    this.#options = options;
    this.#sweep = new RetentionSweep({
      ...options,
      apply: (command) => committer.tryApply<'expire-runs'>(command),
    });
    this.#stops = [
      every(RETENTION_INTERVAL_MS, () => this.#expireRetention(), { timers: clock }),
      every(OFFSET_EXPIRY_INTERVAL_MS, () => committer.background({ kind: 'expire-offsets' }), { timers: clock }),
      every(TRANSACTION_TIMEOUT_INTERVAL_MS, () => this.#expireTransactions(), { timers: clock }),
      () => this.#sweep.stop(),
    ];
  }

  stop(): void {
    for (const stop of this.#stops) {
      stop();
    }
  }

  async #expireRetention(): Promise<void> {
    this.#options.committer.background({ kind: 'expire-retention' });
    await this.#sweep.run();
  }

  #expireTransactions(): void {
    const deadlineMs = transactionDeadlineMs(this.#options.state);
    if (deadlineMs !== null && deadlineMs <= this.#options.clock.nowMs()) {
      this.#options.committer.background({ kind: 'expire-transactions' });
    }
  }
}
