// Refuses calls over a budget. A refusal is held until the caller may try again, and held refusals are sent one at a time. So a caller in a
// loop costs little, and its next calls do not arrive all at once.
import { Code, ConnectError } from '@connectrpc/connect';
import { SECOND_MS } from '@penstock/units';
import type { Clock } from '../owners/clock.ts';
import type { BudgetCaller, CallBudgets } from './call-budgets.ts';

const RETRY_AFTER_HEADER = 'retry-after';
/** A refusal is held at least and at most for this long, apart from `GAP_MS`. The header has whole seconds. */
const MIN_HOLD_MS = 250;
const MAX_HOLD_MS = 1_000;
/** Time between two held refusals of one cluster. Sending one, and reading the call that may follow it, takes about 0.2 ms. */
const GAP_MS = 1;
/** Refusals held for one cluster, without their requests, which are not read yet. Further ones are sent at once. */
const MAX_HELD = 1_000;

interface Held {
  count: number;
  /** When the last one is sent. */
  lastDueMs: number;
}

export class OverBudget {
  readonly #budgets: CallBudgets;
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  /** By cluster. */
  readonly #held = new Map<string, Held>();

  constructor(budgets: CallBudgets, clock: Pick<Clock, 'after' | 'monotonicMs'>) {
    this.#budgets = budgets;
    this.#clock = clock;
  }

  /**
   * Charges one call; see `CallBudgets.admit`.
   * @throws ConnectError resource_exhausted, with a `retry-after` in seconds, when the caller is over a budget
   */
  async requireBudget(caller: BudgetCaller, method: string, expectedBatches = 0): Promise<void> {
    const waitMs = this.#budgets.admit(caller, method, expectedBatches);
    if (waitMs === 0) {
      return;
    }
    await this.#hold(caller.clusterId, Math.min(Math.max(waitMs, MIN_HOLD_MS), MAX_HOLD_MS));
    const retryAfterS = Math.ceil(waitMs / SECOND_MS);
    throw new ConnectError(
      `this virtual cluster or agent key makes more calls, commits or batches per second than its budget allows: try again in ${retryAfterS} s`,
      Code.ResourceExhausted,
      { [RETRY_AFTER_HEADER]: String(retryAfterS) },
    );
  }

  async #hold(clusterId: string, forMs: number): Promise<void> {
    const held = this.#held.get(clusterId) ?? { count: 0, lastDueMs: Number.NEGATIVE_INFINITY };
    if (held.count >= MAX_HELD) {
      return;
    }
    const nowMs = this.#clock.monotonicMs();
    held.count += 1;
    held.lastDueMs = Math.max(nowMs + forMs, held.lastDueMs + GAP_MS);
    this.#held.set(clusterId, held);
    await new Promise<void>((resolve) => this.#clock.after(held.lastDueMs - nowMs, resolve));
    held.count -= 1;
    if (held.count === 0) {
      this.#held.delete(clusterId);
    }
  }
}
