// What is durable, as JSON for the judges of a simulation.
import {
  allCommittedOffsets,
  clusterTotals,
  describeTransactions,
  groupIdsAfter,
  type Id,
  locate,
  partitionBounds,
  registeredAgents,
  transactionalIdsAfter,
} from '@penstock/metadata-core';
import type { DeadFile } from '@penstock/metadata-journal';
import type { AcceptedBatch, DurableState } from './durable-state.ts';

const ALL_BYTES = Number.MAX_SAFE_INTEGER;

/** @param deadFiles those that have left the state and wait for their deletion */
export function factsOf(durable: DurableState, deadFiles: readonly DeadFile[]): Record<string, unknown> {
  const { state, batches } = durable;
  const { clusterId } = state;
  const names = new Map([...state.topics].map(([key, { name }]) => [key, name]));
  const totals = clusterTotals(state);
  const { waiting, leased } = state.files.queues();
  const dead = new Set([...waiting, ...leased].map(({ slot }) => slot));
  const files = [...state.files.files()].map(([slot, file]) => ({
    fileId: uuidText(file.id),
    key: objectKey(clusterId, file.id),
    bytes: file.bytes,
    level: file.level,
    liveRuns: file.liveRuns,
    isDead: dead.has(slot),
  }));
  const batchesOf = Map.groupBy(batches, ({ topicId, partition }) => `${hexOf(topicId)} ${partition}`);
  return {
    lastSeq: durable.lastSeq,
    bucket: state.bucket,
    metered: {
      uncompressedBytes: String(durable.meteredBytes),
      grownBytes: String(durable.grownBytes),
      acceptedBytes: String(batches.reduce((bytes, batch) => bytes + batch.uncompressedBytes, 0)),
      totalUncompressedBytes: String(totals.uncompressedBytes),
      totalStoredBytes: String(totals.storedBytes),
      totalRecords: String(totals.records),
    },
    topics: [...state.topics.values()].map(({ id, name, partitions }) => ({
      topicId: uuidText(id),
      name,
      partitions: partitions.map((partition, number) => ({
        partition: number,
        ...boundsOf(durable, id, number),
        runs: runsOf(durable, id, number),
        batches: (batchesOf.get(`${hexOf(id)} ${number}`) ?? []).map(batchFacts),
        aborted: partition.transactions?.aborted ?? [],
        openTransactions: [...(partition.transactions?.open ?? [])].map(([producerId, firstOffset]) => ({
          producerId,
          firstOffset,
        })),
      })),
    })),
    referenced: files.filter(({ isDead }) => !isDead),
    toDelete: [
      ...files.filter(({ isDead }) => isDead).map(({ fileId, key, bytes }) => ({ fileId, key, bytes })),
      ...deadFiles.map(({ fileId, bytes }) => ({ fileId: uuidText(fileId), key: objectKey(clusterId, fileId), bytes })),
    ],
    groups: [...groupIdsAfter(state, null)].map((groupId) => ({
      groupId,
      offsets: [...allCommittedOffsets(state, groupId)],
    })),
    transactions: describeTransactions(state, [...transactionalIdsAfter(state, null)]).map((one) => ({
      ...one,
      partitions: one.partitions.map(({ topicId, partition }) => ({
        topic: names.get(hexOf(topicId)),
        topicId: uuidText(topicId),
        partition,
      })),
    })),
    agents: registeredAgents(state),
  };
}

function boundsOf({ state }: DurableState, topicId: Id, partition: number): object {
  const { errorCode: _none, ...bounds } = partitionBounds(state, topicId, partition);
  return bounds;
}

/** All rows of the index, from the log start on. */
function runsOf({ state }: DurableState, topicId: Id, partition: number): object[] {
  const runs: object[] = [];
  const bounds = partitionBounds(state, topicId, partition);
  for (let offset = bounds.logStartOffset; offset < bounds.highWatermark; ) {
    const [located] = locate(state, [{ topicId, partition, offset, maxBytes: ALL_BYTES }]);
    const found = located?.runs ?? [];
    const last = found.at(-1);
    if (last === undefined) {
      throw new Error(`partition ${partition} of topic ${uuidText(topicId)} has no run at offset ${offset}`);
    }
    for (const { fileId, baseOffset, records, position, bytes, marker } of found) {
      const place = { baseOffset, lastOffset: baseOffset + records - 1, bytes };
      runs.push(
        marker === null
          ? { ...place, fileId: uuidText(fileId), key: objectKey(state.clusterId, fileId), position }
          : { ...place, marker },
      );
    }
    offset = last.baseOffset + last.records;
  }
  return runs;
}

function batchFacts({ topicId: _topic, partition: _partition, fileId, records, ...batch }: AcceptedBatch): object {
  return { ...batch, records, lastOffset: batch.baseOffset + records - 1, fileId: uuidText(fileId) };
}

function hexOf(id: Id): string {
  return Buffer.from(id).toString('hex');
}

function uuidText(id: Id): string {
  const hex = hexOf(id);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Where agents put a file, behind the prefix of their bucket. */
function objectKey(clusterId: string, fileId: Id): string {
  return `clusters/${clusterId}/data/${hexOf(fileId).slice(-2)}/${uuidText(fileId)}.batches`;
}
