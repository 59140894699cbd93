// What a cluster shows after recovery from the journal alone, in the auditor's terms.
import {
  type ClusterState,
  clusterTotals,
  decodeEntry,
  describeTopics,
  fetchOffsets,
  type Id,
  idKey,
  listGroups,
  locate,
  partitionViews,
} from '@penstock/metadata-core';
import { JOURNAL_START, type Journal } from '@penstock/metadata-journal';
import type { ClusterSight } from './auditor/auditor.ts';
import type { PartitionSight } from './auditor/log-auditor.ts';
import type { Behaviour } from './behaviour.ts';
import { recover } from './sim-owner.ts';

/** Recovers the cluster as a new owner would, and looks at it. */
export async function recoveredSight(clusterId: string, journal: Journal, behaviour: Behaviour): Promise<ClusterSight> {
  const { state } = await recover(clusterId, journal, behaviour);
  const topics = describeTopics(state);
  let journalMeteredBytes = 0n;
  for await (const entry of journal.read(clusterId, JOURNAL_START)) {
    journalMeteredBytes += BigInt(decodeEntry(entry.bytes).meter.uncompressedBytes);
  }
  return {
    topics: topics.map(({ name }) => name),
    partitions: topics.flatMap(({ name, topicId }) =>
      partitionViews(state, topicId).map(({ logStartOffset, highWatermark }, partition) => ({
        topic: name,
        partition,
        logStartOffset,
        highWatermark,
        runs: allRuns(state, topicId, partition, logStartOffset, highWatermark),
      })),
    ),
    committedOffset: (group, topicPartition) => {
      const [topic = '', partition = ''] = topicPartition.split(':');
      return fetchOffsets(state, group, [{ topic, partition: Number(partition) }])[0]?.offset ?? -1;
    },
    generations: listGroups(state, []).map(({ groupId }) => ({
      group: groupId,
      generation: state.groups.get(groupId)?.generation ?? 0,
    })),
    meteredBytes: clusterTotals(state).uncompressedBytes,
    journalMeteredBytes,
  };
}

/** All runs of a partition, as a reader finds them. */
function allRuns(
  state: ClusterState,
  topicId: Id,
  partition: number,
  logStartOffset: number,
  highWatermark: number,
): PartitionSight['runs'] {
  const runs: PartitionSight['runs'] = [];
  let offset = logStartOffset;
  while (offset < highWatermark) {
    const [located] = locate(state, [{ topicId, partition, offset, maxBytes: 1_000_000 }]);
    if (located === undefined || located.runs.length === 0) {
      break;
    }
    for (const run of located.runs) {
      runs.push({
        file: idKey(run.fileId),
        position: run.position,
        bytes: run.bytes,
        baseOffset: run.baseOffset,
        records: run.records,
      });
      offset = run.baseOffset + run.records;
    }
  }
  return runs;
}
