// The invariants of a whole state. The simulator checks them after each command, the metadata service when it has loaded a state and, as far
// as a state that goes on changing allows, before it writes a snapshot.
import { atLeast, atMost, equal, holds } from '../conditions/compare.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { addGroup, addPartition, requireGroupSums, requirePartitionSums } from './accounts.ts';
import { checkFiles, FileUse } from './files.ts';
import { checkGroup } from './groups.ts';
import { checkPartition } from './partitions.ts';
import { checkSecurity } from './security.ts';
import { checkTopic, checkTopics } from './topics.ts';
import { checkProducer, checkTransactions, type TransactionSums } from './transactions.ts';

/** @throws InvariantError when an invariant is broken: the first one that is found */
export function checkState(state: ClusterState): void {
  for (const _ of stateChecks(state)) {
    // Each step throws by itself.
  }
}

/**
 * Checks a state in steps, each for a partition, a group or a few files. Between two of them other work may run, but the state must not change.
 * @throws InvariantError
 */
export function* stateChecks(state: ClusterState): Generator<void, void, undefined> {
  checkCounters(state);
  checkTopics(state);
  const use = new FileUse(state.files);
  const partitions = { partitions: 0, runBytes: 0, producerBytes: 0, producers: 0, aborted: 0 };
  for (const [key, topic] of state.topics) {
    checkTopic(state, key, topic);
    for (const [number, partition] of topic.partitions.entries()) {
      checkPartition(state, topic, number, partition, use);
      addPartition(partitions, partition);
      yield;
    }
  }
  requirePartitionSums(state, partitions);
  yield* checkFiles(state.files, use);
  const groups = { members: 0, offsets: 0 };
  for (const [groupId, group] of state.groups) {
    checkGroup(state, groupId, group);
    addGroup(groups, group);
    yield;
  }
  requireGroupSums(state, groups);
  const transactions: TransactionSums = { partitions: 0, offsets: 0, chars: 0, offsetChars: 0, open: 0 };
  for (const [transactionalId, producer] of state.transactions.byId) {
    checkProducer(state, transactionalId, producer, transactions);
    yield;
  }
  checkTransactions(state, transactions);
  checkSecurity(state.security);
}

/** Runs of a partition that one step checks. A longer partition is checked only when its state is loaded. */
const MOST_RUNS_PER_STEP = 5_000;

/**
 * The invariants of the parts, of a state that changes between two steps: everything but the sums over all of them.
 * @throws InvariantError
 */
export function* partChecks(state: ClusterState): Generator<void, void, undefined> {
  checkCounters(state);
  checkSecurity(state.security);
  for (const [key, topic] of state.topics) {
    checkTopic(state, key, topic);
    for (const [number, partition] of topic.partitions.entries()) {
      if ((partition.runs?.length ?? 0) <= MOST_RUNS_PER_STEP) {
        checkPartition(state, topic, number, partition, null);
      }
      yield;
    }
  }
  for (const [groupId, group] of state.groups) {
    checkGroup(state, groupId, group);
    yield;
  }
  for (const [transactionalId, producer] of state.transactions.byId) {
    checkProducer(state, transactionalId, producer, null);
    yield;
  }
}

function checkCounters(state: ClusterState): void {
  checkAgents(state);
  checkGrants(state);
}

function checkAgents(state: ClusterState): void {
  const nodeIds = new Set<number>();
  for (const [agentId, agent] of state.agents) {
    equal(agent.agentId, agentId, 'an agent is under its id');
    atLeast(agent.nodeId, 1, 'the node ids of agents begin at 1');
    atMost(agent.nodeId, state.nextNodeId - 1, 'the node id of an agent was given');
    holds(!nodeIds.has(agent.nodeId), 'two agents have different node ids', agent.nodeId);
    nodeIds.add(agent.nodeId);
    holds(
      agent.leftAtMs !== null || state.bucket === null || agent.bucket === state.bucket,
      'an agent uses the bucket of the cluster',
      agentId,
    );
  }
}

function checkGrants(state: ClusterState): void {
  for (const { producerId } of state.producerIdGrants.values()) {
    atMost(producerId, state.nextProducerId - 1, 'a kept producer id was granted');
    atLeast(producerId, 1, 'a kept producer id is positive');
  }
  let before = 0;
  for (const { firstId } of state.producerIdMarks) {
    atLeast(firstId, before + 1, 'the marks of producer ids are in their order');
    before = firstId;
  }
  atMost(before, state.nextProducerId - 1, 'a marked producer id was granted');
  for (const configs of state.groupConfigs.values()) {
    atLeast(configs.size, 1, 'a group that is listed has configs');
  }
}
