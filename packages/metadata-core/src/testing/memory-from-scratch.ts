// For tests: what the running accounts of a state must be, counted by visiting everything.
import { counted } from '../invariants/accounts.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { GroupSize } from '../state/group.types.ts';
import { groupSize } from '../state/group-bytes.ts';
import { PRODUCER_TABLE_BYTES, RUN_INDEX_BYTES } from '../state/partition-memory.ts';
import { topicChars } from '../state/topic.ts';

export interface Accounts {
  groups: GroupSize;
  runs: number;
  producers: number;
  producerCount: number;
  topicChars: number;
  transactionChars: number;
  pendingOffsetChars: number;
}

export function accountsOf(state: ClusterState): Accounts {
  const { groupMemory, partitionMemory, transactions } = state;
  return {
    groups: { ...groupMemory },
    runs: partitionMemory.runs,
    producers: partitionMemory.producers,
    producerCount: partitionMemory.producerCount,
    topicChars: state.topicChars,
    transactionChars: transactions.counts.chars,
    pendingOffsetChars: transactions.counts.offsetChars,
  };
}

export function accountsFromScratch(state: ClusterState): Accounts {
  const accounts = {
    runs: 0,
    producers: 0,
    producerCount: 0,
    topicChars: 0,
    transactionChars: 0,
    pendingOffsetChars: 0,
  };
  const groups = { members: 0, offsets: 0 };
  for (const topic of state.topics.values()) {
    accounts.topicChars += topicChars(topic);
    for (const { runs, producers } of topic.partitions) {
      accounts.runs += runs === null ? 0 : RUN_INDEX_BYTES + runs.memoryBytes;
      accounts.producers += producers === null ? 0 : PRODUCER_TABLE_BYTES + producers.memoryBytes;
      accounts.producerCount += producers?.size ?? 0;
    }
  }
  for (const group of state.groups.values()) {
    const size = groupSize(counted(group));
    groups.members += size.members;
    groups.offsets += size.offsets;
  }
  for (const { transactionalId, clientId, agentId, open } of state.transactions.byId.values()) {
    accounts.transactionChars += `${transactionalId}${clientId}${agentId}`.length;
    for (const [groupId, topics] of open?.groups ?? []) {
      accounts.transactionChars += groupId.length;
      for (const { metadata } of [...topics.values()].flatMap((offsets) => [...offsets.values()])) {
        accounts.pendingOffsetChars += metadata.length;
      }
    }
  }
  return { groups, ...accounts };
}
