// Transactional ids with their producers, and the open transactions of the cluster. What a transaction has written is in the partitions: see
// partition-transactions.ts.
import type { IdKey } from '../model/ids.ts';
import { LAST_PRODUCER_EPOCH } from '../model/limits.ts';
import type { StoredOffset } from './group.types.ts';
import { OrderedTexts } from './ordered-texts.ts';

/** Kafka's names. A transaction ends in one command, so there is no state in between. */
export const TRANSACTION_STATES = ['Empty', 'Ongoing', 'CompleteCommit', 'CompleteAbort'] as const;
export type TransactionState = (typeof TRANSACTION_STATES)[number];

export type PendingOffset = Omit<StoredOffset, 'committedAtMs'>;

/** Changed in place, by commits of files among others. */
export interface OpenTransaction {
  /** When its timeout began. */
  startedAtMs: number;
  readonly partitions: Map<IdKey, Set<number>>;
  /** group -> topic name -> partition -> offset; a group may have none yet. */
  readonly groups: Map<string, Map<string, Map<number, PendingOffset>>>;
}

/** A command replaces it, except for its open transaction. */
export interface TransactionalProducer {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  /** The producer id before the present one, if its epochs were used up; else -1. */
  readonly previousProducerId: number;
  /** The epoch before the present one, if its holder may ask again for the answer with the present one; else -1. */
  readonly lastEpoch: number;
  readonly timeoutMs: number;
  /** 'Ongoing' exactly while `open` is not null. */
  readonly state: TransactionState;
  /** When it was initialized, or its transaction opened or ended. */
  readonly updatedAtMs: number;
  /** Who initialized it last, for display. */
  readonly clientId: string;
  readonly agentId: string;
  readonly open: OpenTransaction | null;
}

/** For the cluster's limits. */
export interface TransactionCounts {
  /** Partitions of all open transactions. */
  partitions: number;
  /** Groups of all open transactions, and their pending offsets. */
  offsets: number;
  /** Aborted transactions of all partitions. */
  aborted: number;
  /** The characters of transactional ids, of their clients, and of the groups of open transactions. */
  chars: number;
  /** The characters of the metadata of pending offsets. */
  offsetChars: number;
}

export interface Transactions {
  readonly byId: Map<string, TransactionalProducer>;
  /** The transactional ids with an open transaction. Derived; its order means nothing. */
  readonly open: Set<string>;
  /** All transactional ids. Derived. */
  readonly ids: OrderedTexts;
  /** Those with an open transaction as `openKey`: the longest open one first. Derived. */
  readonly openInOrder: OrderedTexts;
  /** The counts, derived from the above. */
  readonly counts: TransactionCounts;
}

export function createTransactions(): Transactions {
  return {
    byId: new Map(),
    open: new Set(),
    ids: new OrderedTexts(),
    openInOrder: new OrderedTexts(),
    counts: { partitions: 0, offsets: 0, aborted: 0, chars: 0, offsetChars: 0 },
  };
}

export function isEpochExhausted(producerEpoch: number): boolean {
  return producerEpoch >= LAST_PRODUCER_EPOCH;
}

/** Replaces a producer. Counts what its open transaction holds, if it was not there before. */
export function setProducer(transactions: Transactions, producer: TransactionalProducer): void {
  const { byId, open, ids, openInOrder, counts } = transactions;
  const known = byId.get(producer.transactionalId);
  const before = known?.open ?? null;
  if (before !== producer.open) {
    count(counts, before, -1);
    count(counts, producer.open, 1);
    if (before !== null) {
      openInOrder.delete(openKey(before.startedAtMs, producer.transactionalId));
    }
    if (producer.open !== null) {
      openInOrder.add(openKey(producer.open.startedAtMs, producer.transactionalId));
    }
  }
  counts.chars += producerChars(producer) - (known === undefined ? 0 : producerChars(known));
  if (known === undefined) {
    ids.add(producer.transactionalId);
  }
  byId.set(producer.transactionalId, producer);
  if (producer.open === null) {
    open.delete(producer.transactionalId);
  } else {
    open.add(producer.transactionalId);
  }
}

/** Sets the start of an open transaction to an earlier time. */
export function setStartBack(
  { openInOrder }: Transactions,
  { transactionalId, open }: TransactionalProducer,
  ms: number,
) {
  if (open !== null && open.startedAtMs > ms) {
    openInOrder.delete(openKey(open.startedAtMs, transactionalId));
    open.startedAtMs = ms;
    openInOrder.add(openKey(ms, transactionalId));
  }
}

const TIME_DIGITS = 16;

/** Orders open transactions by their start, then by their id. */
function openKey(startedAtMs: number, transactionalId: string): string {
  return String(startedAtMs).padStart(TIME_DIGITS, '0') + transactionalId;
}

/** A place in the list of transactional ids. */
export interface TransactionPlace {
  transactionalId: string;
  /** Null: no transaction of it is open. */
  startedAtMs: number | null;
}

/**
 * The transactional ids after a place: those with an open transaction first, the longest open one first, then the others by id.
 * They may change while they are read.
 * @param after null: from the start
 */
export function* transactionsAfter(transactions: Transactions, after: TransactionPlace | null): Generator<string> {
  const { byId, ids, openInOrder } = transactions;
  if (after === null || after.startedAtMs !== null) {
    const key = after === null ? null : openKey(after.startedAtMs ?? 0, after.transactionalId);
    for (const open of openInOrder.following(key)) {
      yield open.slice(TIME_DIGITS);
    }
  }
  for (const id of ids.following(after?.startedAtMs === null ? after.transactionalId : null)) {
    if (byId.get(id)?.open === null) {
      yield id;
    }
  }
}

/** Removes a transactional id without an open transaction. */
export function forgetProducer({ byId, ids, counts }: Transactions, transactionalId: string): void {
  const producer = byId.get(transactionalId);
  if (producer !== undefined) {
    byId.delete(transactionalId);
    ids.delete(transactionalId);
    counts.chars -= producerChars(producer);
  }
}

function producerChars({ transactionalId, clientId, agentId }: TransactionalProducer): number {
  return transactionalId.length + clientId.length + agentId.length;
}

/** The open transaction of a producer; opens one if there is none. */
export function openTransactionOf(
  transactions: Transactions,
  producer: TransactionalProducer,
  nowMs: number,
): OpenTransaction {
  if (producer.open !== null) {
    return producer.open;
  }
  const open: OpenTransaction = { startedAtMs: nowMs, partitions: new Map(), groups: new Map() };
  setProducer(transactions, { ...producer, state: 'Ongoing', updatedAtMs: nowMs, open });
  return open;
}

export function hasPartition(open: OpenTransaction | null, topic: IdKey, partition: number): boolean {
  return open?.partitions.get(topic)?.has(partition) === true;
}

export function addPartition(counts: TransactionCounts, open: OpenTransaction, topic: IdKey, partition: number): void {
  const partitions = open.partitions.get(topic);
  if (partitions === undefined) {
    open.partitions.set(topic, new Set([partition]));
  } else if (partitions.has(partition)) {
    return;
  } else {
    partitions.add(partition);
  }
  counts.partitions += 1;
}

/** The pending offsets of a group, which is added if it is not part of the transaction yet. */
export function pendingOffsetsOf(
  counts: TransactionCounts,
  open: OpenTransaction,
  groupId: string,
): Map<string, Map<number, PendingOffset>> {
  let topics = open.groups.get(groupId);
  if (topics === undefined) {
    topics = new Map();
    open.groups.set(groupId, topics);
    counts.offsets += 1;
    counts.chars += groupId.length;
  }
  return topics;
}

/** Adds an offset to those of a group, or replaces it. */
export function setPendingOffset(
  counts: TransactionCounts,
  topics: Map<string, Map<number, PendingOffset>>,
  topic: string,
  partition: number,
  offset: PendingOffset,
): void {
  let partitions = topics.get(topic);
  if (partitions === undefined) {
    partitions = new Map();
    topics.set(topic, partitions);
  }
  const before = partitions.get(partition);
  partitions.set(partition, offset);
  counts.offsets += before === undefined ? 1 : 0;
  counts.offsetChars += offset.metadata.length - (before?.metadata.length ?? 0);
}

/** A topic was deleted: drops the pending offsets for it. */
export function forgetPendingOffsets({ byId, open, counts }: Transactions, topic: string): void {
  for (const transactionalId of open) {
    for (const topics of byId.get(transactionalId)?.open?.groups.values() ?? []) {
      countOffsets(counts, topics.get(topic), -1);
      topics.delete(topic);
    }
  }
}

/** A group was deleted: the offsets that wait for it are dropped, as by Kafka. */
export function forgetPendingGroup({ byId, open, counts }: Transactions, groupId: string): void {
  for (const transactionalId of open) {
    const topics = byId.get(transactionalId)?.open?.groups.get(groupId);
    for (const partitions of topics?.values() ?? []) {
      countOffsets(counts, partitions, -1);
    }
    topics?.clear();
  }
}

/** A copy that later commands don't change. */
export function copyProducer(producer: TransactionalProducer): TransactionalProducer {
  const { open } = producer;
  return open === null
    ? producer
    : {
        ...producer,
        open: {
          startedAtMs: open.startedAtMs,
          partitions: new Map([...open.partitions].map(([topic, numbers]) => [topic, new Set(numbers)])),
          groups: new Map(
            [...open.groups].map(([groupId, topics]) => [
              groupId,
              new Map([...topics].map(([topic, offsets]) => [topic, new Map(offsets)])),
            ]),
          ),
        },
      };
}

function count(counts: TransactionCounts, open: OpenTransaction | null, sign: 1 | -1): void {
  for (const numbers of open?.partitions.values() ?? []) {
    counts.partitions += sign * numbers.size;
  }
  for (const [groupId, topics] of open?.groups ?? []) {
    counts.offsets += sign;
    counts.chars += sign * groupId.length;
    for (const offsets of topics.values()) {
      countOffsets(counts, offsets, sign);
    }
  }
}

function countOffsets(
  counts: TransactionCounts,
  offsets: ReadonlyMap<number, PendingOffset> | undefined,
  sign: 1 | -1,
): void {
  for (const { metadata } of offsets?.values() ?? []) {
    counts.offsets += sign;
    counts.offsetChars += sign * metadata.length;
  }
}
