// Each broken invariant is noticed: the tests break one at a time.
import { describe, expect, it } from 'vitest';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.types.ts';
import { commitOf, TestCluster } from '../testing/cluster.ts';
import { checkState, partChecks, stateChecks } from './check-state.ts';

function sample(): { state: ClusterState; partition: Partition } {
  const cluster = new TestCluster();
  cluster.topic(1, 2);
  cluster.topic(2, 1);
  cluster.commit([
    {
      batches: [
        { records: 3, producer: [1, 0, 0] },
        { records: 2, producer: [1, 0, 3] },
      ],
    },
  ]);
  cluster.do(
    commitOf(cluster.newFileId(), [{ batches: [{ records: 4 }] }, { partition: 1, batches: [{ records: 1 }] }]),
  );
  cluster.do({
    kind: 'commit-offsets',
    groupId: 'g',
    generationId: -1,
    memberId: '',
    groupInstanceId: null,
    offsets: [{ topic: 'topic-1', partition: 0, offset: 2, leaderEpoch: -1, metadata: 'm' }],
  });
  cluster.do({
    kind: 'init-transactional-producer',
    transactionalId: 't',
    producerId: -1,
    producerEpoch: -1,
    timeoutMs: 1_000,
    clientId: 'c',
    agentId: 'a',
  });
  const partition = cluster.state.topicsByName.get('topic-1')?.partitions[0];
  if (partition === undefined) {
    throw new Error('the sample has a partition');
  }
  return { state: cluster.state, partition };
}

type Fault = [what: string, message: string, stage: (sample: { state: ClusterState; partition: Partition }) => void];

const ANYWHERE: readonly Fault[] = [
  ['a log start beyond the end', 'a log starts at most', ({ partition }) => (partition.logStartOffset = 99)],
  ['bytes that no run has', 'stored bytes are those', ({ partition }) => (partition.storedBytes += 1)],
  ['a clean part beyond the log', 'what is cleaned is in', ({ partition }) => (partition.cleanedOffset = 99)],
  ['a lost run', 'a run starts where|the first run|stored bytes', ({ partition }) => partition.runs?.dropFront(1)],
  [
    'a topic under another name',
    'each topic has one name|under its name',
    ({ state }) => state.topicsByName.delete('topic-2'),
  ],
  ['a group under another id', 'a group is under its id', ({ state }) => rename(state)],
  ['a producer id of the future', 'producer id was granted', ({ state }) => (state.nextProducerId = 1)],
  ['a producer that is Ongoing without a transaction', 'exactly while', ({ state }) => ongoing(state)],
];

const IN_THE_WHOLE: readonly Fault[] = [
  ['a partition that is not counted', 'partitions are counted', ({ state }) => (state.partitionCount += 1)],
  ['names that are not counted', 'the characters of topics', ({ state }) => (state.topicChars += 1)],
  ['a group that is not listed', 'the ids of groups are in order', ({ state }) => state.groupIds.delete('g')],
  ['an account that is too small', 'the account of groups', ({ state }) => (state.groupMemory.members -= 1)],
  [
    'producers that are not counted',
    'the producers of partitions',
    ({ state }) => (state.partitionMemory.producerCount += 1),
  ],
  [
    'a pending offset without a transaction',
    'pending offsets are',
    ({ state }) => (state.transactions.counts.offsets += 1),
  ],
  ['a run that its file does not count', 'a file counts its runs', ({ state }) => state.files.addRun(0, 1)],
];

function rename(state: ClusterState): void {
  const group = state.groups.get('g');
  if (group !== undefined) {
    group.groupId = 'h';
  }
}

function ongoing(state: ClusterState): void {
  const producer = state.transactions.byId.get('t');
  if (producer !== undefined) {
    state.transactions.byId.set('t', { ...producer, state: 'Ongoing' });
  }
}

describe('checkState', () => {
  it('accepts a sound state', () => {
    const { state } = sample();
    expect(() => checkState(state)).not.toThrow();
    expect(() => [...partChecks(state)]).not.toThrow();
  });

  it.each([...ANYWHERE, ...IN_THE_WHOLE])('notices %s', (_what, message, stage) => {
    const staged = sample();
    stage(staged);
    expect(() => checkState(staged.state)).toThrow(new RegExp(message));
  });

  it('takes a step for each partition', () => {
    const { state } = sample();
    expect([...stateChecks(state)].length).toBeGreaterThanOrEqual(3);
  });
});

describe('partChecks', () => {
  it.each(ANYWHERE)('notices %s', (_what, message, stage) => {
    const staged = sample();
    stage(staged);
    expect(() => [...partChecks(staged.state)]).toThrow(new RegExp(message));
  });
});
