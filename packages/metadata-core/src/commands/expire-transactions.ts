// ExpireTransactions: aborts transactions whose producers did not end them in time, by the owner's clock.
import { present } from '../model/assert.ts';
import { MAX_TIMEOUTS_PER_COMMAND } from '../model/limits.ts';
import { type AppendedMarker, changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { TransactionalProducer } from '../state/transactions.ts';
import { fence } from '../transactions/finish.ts';

/** At most some at a time: send it again while `transactionDeadlineMs` has passed. */
export function expireTransactions(state: ClusterState, nowMs: number): Outcome<'expire-transactions'> {
  const { byId, open } = state.transactions;
  const due: TransactionalProducer[] = [];
  for (const transactionalId of open) {
    const producer = byId.get(transactionalId);
    if (producer !== undefined && deadlineOf(producer) <= nowMs) {
      due.push(producer);
    }
  }
  // A total order: the order of `open` is not part of the state.
  due.sort((a, b) => deadlineOf(a) - deadlineOf(b) || (a.transactionalId < b.transactionalId ? -1 : 1));
  const markers: AppendedMarker[] = [];
  const aborted: string[] = [];
  for (const producer of due.slice(0, MAX_TIMEOUTS_PER_COMMAND)) {
    markers.push(...fence(state, producer, nowMs));
    aborted.push(producer.transactionalId);
  }
  return aborted.length === 0 ? unchanged({ aborted }) : changed({ aborted }, markers.length === 0 ? {} : { markers });
}

/** When the first open transaction times out; null without any. */
export function transactionDeadlineMs({ transactions }: ClusterState): number | null {
  let firstMs: number | null = null;
  for (const transactionalId of transactions.open) {
    const producer = transactions.byId.get(transactionalId);
    if (producer !== undefined) {
      firstMs = Math.min(firstMs ?? Number.POSITIVE_INFINITY, deadlineOf(producer));
    }
  }
  return firstMs;
}

function deadlineOf({ open, timeoutMs }: TransactionalProducer): number {
  return present(open, 'open transaction').startedAtMs + timeoutMs;
}
