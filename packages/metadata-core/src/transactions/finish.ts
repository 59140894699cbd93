// Ends an open transaction: a marker in each partition that it wrote to, and its pending offsets. Everything happens within one command.
import { idFromKey } from '../model/ids.ts';
import type { AppendedMarker } from '../model/outcome.ts';
import { offsetsRetentionMs } from '../model/settings.ts';
import { beforeChange, type ClusterState, placeGroup } from '../state/cluster-state.ts';
import { createGroup, setOffset } from '../state/group.ts';
import { appendMarker } from '../state/partition.ts';
import { endIn, lastStableOffset } from '../state/partition-transactions.ts';
import { noteGrant } from '../state/producer-id-marks.ts';
import {
  isEpochExhausted,
  type OpenTransaction,
  setProducer,
  type TransactionalProducer,
} from '../state/transactions.ts';

type Epochs = Pick<TransactionalProducer, 'producerId' | 'producerEpoch' | 'previousProducerId' | 'lastEpoch'>;

/**
 * Ends the producer's open transaction, if there is one, and gives the producer its next state.
 * @param markerEpoch of the control batches
 * @param next the producer id and epoch from now on
 * @returns what was appended, for publication
 */
export function finish(
  state: ClusterState,
  producer: TransactionalProducer,
  isCommit: boolean,
  markerEpoch: number,
  next: Epochs,
  nowMs: number,
): AppendedMarker[] {
  const { open } = producer;
  const markers = open === null ? [] : appendMarkers(state, producer.producerId, open, isCommit, markerEpoch, nowMs);
  if (open !== null && isCommit) {
    commitOffsets(state, open, nowMs);
  }
  const ended = isCommit ? 'CompleteCommit' : 'CompleteAbort';
  setProducer(state.transactions, { ...producer, ...next, state: ended, updatedAtMs: nowMs, open: null });
  return markers;
}

/** Aborts an open transaction on behalf of another client or a timeout. A higher epoch fences its producer. */
export function fence(state: ClusterState, producer: TransactionalProducer, nowMs: number): AppendedMarker[] {
  const producerEpoch = producer.producerEpoch + 1;
  const { producerId, previousProducerId } = producer;
  const next = { producerId, producerEpoch, previousProducerId, lastEpoch: -1 };
  return finish(state, producer, false, producerEpoch, next, nowMs);
}

/**
 * The next epoch, or the first of a new producer id after the last one.
 * @param mayRepeat whether the holder of the present epoch may ask again for the answer
 */
export function nextEpoch(
  state: ClusterState,
  producer: TransactionalProducer,
  mayRepeat: boolean,
  nowMs: number,
): Epochs {
  const { producerId, producerEpoch } = producer;
  const lastEpoch = mayRepeat ? producerEpoch : -1;
  if (!isEpochExhausted(producerEpoch)) {
    return { producerId, producerEpoch: producerEpoch + 1, previousProducerId: -1, lastEpoch };
  }
  const granted = grantProducerId(state, nowMs);
  return { producerId: granted, producerEpoch: 0, previousProducerId: mayRepeat ? producerId : -1, lastEpoch };
}

export function grantProducerId(state: ClusterState, nowMs: number): number {
  const producerId = state.nextProducerId;
  state.nextProducerId += 1;
  noteGrant(state.producerIdMarks, producerId, nowMs);
  return producerId;
}

function appendMarkers(
  state: ClusterState,
  producerId: number,
  open: OpenTransaction,
  isCommit: boolean,
  producerEpoch: number,
  nowMs: number,
): AppendedMarker[] {
  const markers: AppendedMarker[] = [];
  for (const [topicKey, numbers] of open.partitions) {
    const topic = state.topics.get(topicKey);
    for (const number of topic === undefined ? [] : numbers) {
      const partition = topic?.partitions[number];
      const firstOffset = partition?.transactions?.open.get(producerId);
      if (partition === undefined || firstOffset === undefined) {
        continue;
      }
      const marker = { producerId, producerEpoch, isCommit };
      const baseOffset = appendMarker(partition, marker, nowMs);
      endIn(partition, producerId, isCommit, baseOffset);
      markers.push({
        topicId: idFromKey(topicKey),
        partition: number,
        logStartOffset: partition.logStartOffset,
        highWatermark: partition.highWatermark,
        lastStableOffset: lastStableOffset(partition),
        baseOffset,
        timestampMs: nowMs,
        firstOffset,
        ...marker,
      });
    }
  }
  return markers;
}

/** A group may have been removed since: then it begins anew with these offsets. */
function commitOffsets(state: ClusterState, open: OpenTransaction, nowMs: number): void {
  for (const [groupId, topics] of open.groups) {
    if (topics.size === 0) {
      continue;
    }
    const group = state.groups.get(groupId) ?? createGroup(groupId, nowMs);
    placeGroup(state, group);
    const { expiresFromMs } = group;
    beforeChange(state, group);
    group.expiresFromMs = Math.min(expiresFromMs, nowMs + offsetsRetentionMs(state.settings));
    for (const [topic, offsets] of topics) {
      for (const [partition, offset] of offsets) {
        setOffset(group, topic, partition, { ...offset, committedAtMs: nowMs });
      }
    }
  }
}
