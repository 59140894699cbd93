// What the owner refuses to commit although an agent took it: files of a cluster whose writes are refused, and more than a Dev cluster may
// write. Agents of this project refuse or delay these writes themselves, so that producers learn of it before they send. These limits hold
// for agents that don't. They are checked before a commit becomes a command: a replay must accept what was accepted.
import { type ClusterSettings, type CommitFile, ErrorCode, limits } from '@penstock/metadata-core';
import { DebtBucket } from '../budgets/debt-bucket.ts';

/**
 * How long after writes are blocked the service still commits files, which agents may have begun earlier. Equals the default of
 * request.timeout.ms, for which producers wait for an answer. A new owner starts the time again.
 */
export const REFUSED_WRITES_GRACE_MS = 30_000;
/** Like the grace period above, while the organization is suspended, which takes effect within five seconds. */
export const SUSPENSION_GRACE_MS = 2_000;

/**
 * Agents measure rates as Kafka does, and each admits what a client has sent before it holds the client. The owner's limit is therefore a
 * tenth above the promised rate, after a burst of five minutes of it.
 */
export const DEV_LIMIT_SLACK = 1.1;
export const DEV_LIMIT_BURST_S = 300;

export interface WriteRefusal {
  errorCode: ErrorCode;
  errorMessage: string;
}

export class WriteLimits {
  readonly #monotonicMs: () => number;
  /** Null while writes are accepted. */
  #refusedSinceMs: number | null = null;
  #isSuspended = false;
  /** Null unless the cluster is a Dev cluster. */
  #devLimit: DebtBucket | null = null;

  /** @param monotonicMs of the owner's clock */
  constructor(monotonicMs: () => number, settings: ClusterSettings) {
    this.#monotonicMs = monotonicMs;
    this.follow(settings);
  }

  /** Call it whenever settings have changed. */
  follow({ writesRefused, mode }: ClusterSettings): void {
    const nowMs = this.#monotonicMs();
    this.#refusedSinceMs = writesRefused ? (this.#refusedSinceMs ?? nowMs) : null;
    this.#devLimit =
      mode === 'dev'
        ? (this.#devLimit ?? new DebtBucket(DEV_BYTES_PER_SECOND, DEV_BYTES_PER_SECOND * DEV_LIMIT_BURST_S, nowMs))
        : null;
  }

  /** A suspension refuses writes as a setting, too. */
  suspend(isSuspended: boolean): void {
    this.#isSuspended = isSuspended;
  }

  /** Why a file that was not committed before is refused; null when it may be committed. It then counts towards the limits. */
  admit({ batchUncompressedBytes }: CommitFile, { writesRefusedReason }: ClusterSettings): WriteRefusal | null {
    const nowMs = this.#monotonicMs();
    const graceMs = this.#isSuspended ? SUSPENSION_GRACE_MS : REFUSED_WRITES_GRACE_MS;
    if (this.#refusedSinceMs !== null && nowMs - this.#refusedSinceMs > graceMs) {
      const errorMessage = writesRefusedReason === '' ? 'Writes to this cluster are refused.' : writesRefusedReason;
      return { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage };
    }
    if (this.#devLimit === null) {
      return null;
    }
    const waitMs = this.#devLimit.waitMs(nowMs);
    if (waitMs > 0) {
      // Clients retry on this code, and know that nothing was written.
      const errorMessage =
        `A Dev cluster takes ${limits.MAX_WRITTEN_BYTES_PER_SECOND_OF_DEV_CLUSTER / 1024 ** 2} MiB/s, and this one is ${Math.ceil(waitMs / 1_000)} s ahead of that. ` +
        'Write less, or change the mode of the cluster to Standard in its settings.';
      return { errorCode: ErrorCode.NOT_ENOUGH_REPLICAS, errorMessage };
    }
    this.#devLimit.spend(sum(batchUncompressedBytes), nowMs);
    return null;
  }
}

const DEV_BYTES_PER_SECOND = limits.MAX_WRITTEN_BYTES_PER_SECOND_OF_DEV_CLUSTER * DEV_LIMIT_SLACK;

function sum(column: Float64Array): number {
  let total = 0;
  for (const value of column) {
    total += value;
  }
  return total;
}
