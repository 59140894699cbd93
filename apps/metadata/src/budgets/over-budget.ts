// Refuses calls over a budget. A refusal is held until the caller may try again, so that a caller in a loop costs little.
import { Code, ConnectError } from '@connectrpc/connect';
import { SECOND_MS } from '@penstock/units';
import type { Clock } from '../owners/clock.ts';
import type { BudgetCaller, CallBudgets } from './call-budgets.ts';

const RETRY_AFTER_HEADER = 'retry-after';
/** The shortest and the longest time for which a refusal is held. Callers are told whole seconds. */
const MIN_HOLD_MS = 250;
const MAX_HOLD_MS = 1_000;
/** Refusals held for one cluster, without their requests, which are not read yet. Further ones are sent at once. */
const MAX_HELD = 1_000;

export class OverBudget {
  readonly #budgets: CallBudgets;
  readonly #clock: Pick<Clock, 'after'>;
  /** By cluster. */
  readonly #held = new Map<string, number>();

  constructor(budgets: CallBudgets, clock: Pick<Clock, 'after'>) {
    this.#budgets = budgets;
    this.#clock = clock;
  }

  /** @throws ConnectError resource_exhausted, with a `retry-after` in seconds, when the caller is over a budget */
  async requireBudget(caller: BudgetCaller, method: string): Promise<void> {
    const waitMs = this.#budgets.admit(caller, method);
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
    const held = this.#held.get(clusterId) ?? 0;
    if (held >= MAX_HELD) {
      return;
    }
    this.#held.set(clusterId, held + 1);
    await new Promise<void>((resolve) => this.#clock.after(forMs, resolve));
    const left = (this.#held.get(clusterId) ?? 1) - 1;
    if (left === 0) {
      this.#held.delete(clusterId);
    } else {
      this.#held.set(clusterId, left);
    }
  }
}
