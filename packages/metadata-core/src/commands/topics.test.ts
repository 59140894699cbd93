import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import type { Config, ConfigOp } from '../model/topics.types.ts';
import { describeTopics, partitionViews } from '../queries/cluster.ts';
import { allCommittedOffsets } from '../queries/groups.ts';
import { id, TestCluster } from '../testing/cluster.ts';

function create(cluster: TestCluster, name: string, partitions = 1, configs: Config[] = [], topicId = id(50)) {
  return cluster.outcome({
    kind: 'create-topics',
    topics: [{ name, topicId, partitions, configs }],
    validateOnly: false,
  });
}

function alter(cluster: TestCluster, ops: ConfigOp[], name = 'a') {
  return cluster.outcome({ kind: 'alter-configs', topics: [{ name, ops }], validateOnly: false });
}

describe('CreateTopics', () => {
  const long = 'x'.repeat(250);
  it.each<[string, string, number, Config[], number]>([
    ['an empty name', '', 1, [], 17],
    ['the name "."', '.', 1, [], 17],
    ['a name with a slash', 'a/b', 1, [], 17],
    ['a name of 250 characters', long, 1, [], 17],
    ['a bad name before bad partitions', '..', 0, [], 17],
    ['a name that is taken', 'taken', 1, [], 36],
    ['a taken name before bad partitions', 'taken', -5, [], 36],
    ['no partitions', 'a', 0, [], 37],
    ['partitions before configs', 'a', -2, [{ name: 'nope', value: '' }], 37],
    ['an unknown config', 'a', 1, [{ name: 'nope', value: '1' }], 40],
    ['a value that is no number', 'a', 1, [{ name: 'retention.ms', value: 'week' }], 40],
    ['a value out of range', 'a', 1, [{ name: 'retention.ms', value: '-2' }], 40],
    [
      'a config set twice',
      'a',
      1,
      [
        { name: 'retention.ms', value: '1' },
        { name: 'retention.ms', value: '2' },
      ],
      40,
    ],
    ['more partitions than a cluster may have', 'a', 1_000_001, [], 44],
  ])('refuses %s', (_why, name, partitions, configs, errorCode) => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'taken');
    const outcome = create(cluster, name, partitions, configs);
    expect(outcome.answer.results[0]).toMatchObject({ errorCode, topic: null });
    expect(outcome.answer.results[0]?.errorMessage).not.toBe('');
    expect(outcome.changed).toBe(false);
    expect(describeTopics(cluster.state)).toHaveLength(1);
  });

  it('creates valid topics although others are refused', () => {
    const cluster = new TestCluster();
    const topics = [
      { name: 'good', topicId: id(1), partitions: 3, configs: [{ name: 'cleanup.policy', value: 'compact, delete' }] },
      { name: 'twice', topicId: id(2), partitions: 1, configs: [] },
      { name: 'twice', topicId: id(3), partitions: 1, configs: [] },
    ];
    const outcome = cluster.outcome({ kind: 'create-topics', topics, validateOnly: false });
    expect(outcome.answer.results.map(({ errorCode }) => errorCode)).toEqual([0, 42, 42]);
    expect(outcome.effects.catalogue?.topics.map(({ name }) => name)).toEqual(['good']);
    expect(describeTopics(cluster.state)).toEqual([outcome.answer.results[0]?.topic]);
    expect(describeTopics(cluster.state, { names: ['good', 'nope'], topicIds: [id(1)] })).toHaveLength(1);
  });

  it('refuses names that collide in metrics', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a.b');
    expect(create(cluster, 'a.b_c').answer.results[0]?.errorCode).toBe(0);
    expect(create(cluster, 'a_b.c', 1, [], id(51)).answer.results[0]).toMatchObject({
      errorCode: 17,
      errorMessage: "Topic 'a_b.c' collides with existing topic: a.b_c",
    });
    expect(create(cluster, 'a.b', 1, [], id(51)).answer.results[0]?.errorCode).toBe(36);
    cluster.do({ kind: 'delete-topics', names: ['a.b'], topicIds: [] });
    const restored = new TestCluster();
    restored.state = decodeSnapshot(encodeSnapshot(cluster.state));
    expect(create(restored, 'a_b', 1, [], id(51)).answer.results[0]?.errorCode).toBe(0);
    expect(create(restored, 'a_b_c', 1, [], id(52)).answer.results[0]?.errorCode).toBe(17);
  });

  it('refuses Kafka’s internal topic names', () => {
    const cluster = new TestCluster();
    for (const name of ['__cluster_metadata', '__consumer_offsets', '__transaction_state', '__share_group_state']) {
      expect(create(cluster, name, 1, [], id(51)).answer.results[0]).toMatchObject({
        errorCode: 42,
        errorMessage: `Creation of internal topic ${name} is prohibited.`,
      });
    }
  });

  it('limits a Dev cluster’s partitions', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1_200, 'from-before');
    cluster.topic(51, 3, 'more');
    cluster.do({ kind: 'update-settings', settings: { mode: 'dev' } });
    expect(create(cluster, 'one').answer.results[0]?.errorCode).toBe(44);
    cluster.do({ kind: 'delete-topics', names: ['from-before'], topicIds: [] });
    const topics = [
      { name: 'fits', topicId: id(60), partitions: 990, configs: [] },
      { name: 'does-not', topicId: id(61), partitions: 8, configs: [] },
      { name: 'fits-too', topicId: id(62), partitions: 7, configs: [] },
    ];
    for (const validateOnly of [true, false]) {
      const { results } = cluster.outcome({ kind: 'create-topics', topics, validateOnly }).answer;
      expect(results.map(({ errorCode }) => errorCode)).toEqual([0, 44, 0]);
      expect(results[1]?.errorMessage).toBe(
        'A Dev cluster has at most 1000 partitions; this one has 993, and 8 more were requested. Delete topics, or change the mode of the cluster to Standard in its settings.',
      );
    }
    const grow = { kind: 'create-partitions' as const, topics: [{ name: 'more', totalPartitions: 4 }] };
    for (const validateOnly of [true, false]) {
      expect(cluster.outcome({ ...grow, validateOnly }).answer.results[0]).toMatchObject({
        errorCode: 44,
        errorMessage: expect.stringContaining('this one has 1000, and 1 more were requested'),
      });
    }
    cluster.do({ kind: 'update-settings', settings: { mode: 'standard' } });
    expect(cluster.outcome({ ...grow, validateOnly: false }).answer.results[0]?.errorCode).toBe(0);
  });

  it('refuses more than 10,000 partitions in a request', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 11_000, 'from-before');
    const topics = [
      { name: 'a', topicId: id(60), partitions: 9_999, configs: [] },
      { name: 'b', topicId: id(61), partitions: 2, configs: [] },
    ];
    const refused = cluster.outcome({ kind: 'create-topics', topics, validateOnly: false });
    expect(refused.answer.results.map(({ errorCode }) => errorCode)).toEqual([44, 44]);
    expect(refused.answer.results[0]?.errorMessage).toBe(
      'Excessively large number of partitions per request: 10001, and at most 10000 are created at a time. Split the request.',
    );
    expect(refused.changed).toBe(false);
    expect(create(cluster, 'c', 10_000, [], id(62)).answer.results[0]?.errorCode).toBe(0);
    const grow = (totalPartitions: number) =>
      cluster.outcome({
        kind: 'create-partitions',
        topics: [{ name: 'from-before', totalPartitions }],
        validateOnly: false,
      }).answer.results[0]?.errorCode;
    expect([grow(21_001), grow(21_000)]).toEqual([44, 0]);
  });

  it('uses the cluster default for -1 partitions', () => {
    const cluster = new TestCluster();
    cluster.do({ kind: 'update-settings', settings: { defaultPartitions: 6 } });
    expect(create(cluster, 'a', -1).answer.results[0]?.topic?.partitions).toBe(6);
  });

  it('with validateOnly answers alike and changes nothing', () => {
    const cluster = new TestCluster();
    const topics = [{ name: 'a', topicId: id(1), partitions: 2, configs: [] }];
    const outcome = cluster.outcome({ kind: 'create-topics', topics, validateOnly: true });
    expect(outcome.answer.results[0]).toMatchObject({ errorCode: 0, topic: { partitions: 2 } });
    expect(outcome.changed).toBe(false);
    expect(describeTopics(cluster.state)).toEqual([]);
  });
});

describe('DeleteTopics', () => {
  it('returns names first, then ids, and says which were unknown', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a');
    cluster.topic(2, 1, 'b');
    const outcome = cluster.outcome({ kind: 'delete-topics', names: ['a', 'x'], topicIds: [id(2), id(1)] });
    expect(outcome.answer.results.map(({ errorCode }) => errorCode)).toEqual([0, 3, 0, 100]);
    expect(outcome.effects.catalogue?.deletedTopicIds).toEqual([id(1), id(2)]);
    expect(describeTopics(cluster.state)).toEqual([]);
  });

  it('releases only the topic’s own files and offsets', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a');
    cluster.topic(2, 1, 'b');
    const shared = cluster.newFileId();
    const alone = cluster.newFileId();
    cluster.commit(
      [
        { topic: id(1), batches: [{ records: 1 }] },
        { topic: id(2), batches: [{ records: 1 }] },
      ],
      shared,
    );
    cluster.commit([{ topic: id(1), batches: [{ records: 1 }] }], alone);
    const offset = { partition: 0, offset: 1, leaderEpoch: -1, metadata: '' };
    const offsets = [
      { topic: 'a', ...offset },
      { topic: 'b', ...offset },
    ];
    cluster.do({
      kind: 'commit-offsets',
      groupId: 'g',
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      offsets,
    });
    cluster.do({ kind: 'delete-topics', names: ['a'], topicIds: [] });
    cluster.nowMs += 60_000;
    expect(cluster.do({ kind: 'take-deletions', maxFiles: 10 }).fileIds).toEqual([alone]);
    expect([...allCommittedOffsets(cluster.state, 'g')].map(({ topic }) => topic)).toEqual(['b']);
  });
});

describe('CreatePartitions', () => {
  it.each<[string, string, number, number]>([
    ['an unknown topic', 'x', 5, 3],
    ['as many as there are', 'a', 4, 37],
    ['fewer', 'a', 1, 37],
    ['more than a cluster may have', 'a', 1_000_001, 44],
  ])('refuses %s', (_why, name, totalPartitions, errorCode) => {
    const cluster = new TestCluster();
    cluster.topic(1, 4, 'a');
    const outcome = cluster.outcome({
      kind: 'create-partitions',
      topics: [{ name, totalPartitions }],
      validateOnly: false,
    });
    expect(outcome.answer.results[0]?.errorCode).toBe(errorCode);
    expect(outcome.changed).toBe(false);
  });

  it('adds empty partitions and keeps the others', () => {
    const cluster = new TestCluster();
    const topicId = cluster.topic(1, 1, 'a');
    cluster.commit([{ batches: [{ records: 5 }] }]);
    const topics = [{ name: 'a', totalPartitions: 2 }];
    expect(cluster.outcome({ kind: 'create-partitions', topics, validateOnly: true }).changed).toBe(false);
    const outcome = cluster.outcome({ kind: 'create-partitions', topics, validateOnly: false });
    expect(outcome.effects.catalogue?.topics[0]?.partitions).toBe(2);
    expect(partitionViews(cluster.state, topicId).map(({ highWatermark }) => highWatermark)).toEqual([5, 0]);
  });
});

describe('AlterConfigs', () => {
  it.each<[string, ConfigOp[], number]>([
    ['an unknown name', [{ kind: 'set', name: 'nope', value: '1' }], 40],
    ['deleting an unknown name', [{ kind: 'delete', name: 'nope', value: '' }], 40],
    ['appending to what is no list', [{ kind: 'append', name: 'retention.ms', value: '1' }], 40],
    ['a wrong item of a list', [{ kind: 'append', name: 'cleanup.policy', value: 'burn' }], 40],
    [
      'one good and one bad',
      [
        { kind: 'set', name: 'retention.ms', value: '5' },
        { kind: 'set', name: 'x', value: '' },
      ],
      40,
    ],
    [
      'the same name twice',
      [
        { kind: 'set', name: 'segment.ms', value: '5' },
        { kind: 'delete', name: 'segment.ms', value: '' },
      ],
      42,
    ],
  ])('refuses %s as a whole', (_why, ops, errorCode) => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a', { 'retention.ms': '1' });
    const outcome = alter(cluster, ops);
    expect(outcome.answer.results[0]?.errorCode).toBe(errorCode);
    expect(outcome.changed).toBe(false);
    expect(describeTopics(cluster.state)[0]?.configs).toEqual([{ name: 'retention.ms', value: '1' }]);
  });

  it('sets, deletes, appends to and subtracts from lists', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a', { 'retention.ms': '1' });
    const outcome = alter(cluster, [
      { kind: 'delete', name: 'retention.ms', value: '' },
      { kind: 'append', name: 'cleanup.policy', value: 'compact,delete' },
      { kind: 'set', name: 'min.cleanable.dirty.ratio', value: '0.25' },
    ]);
    expect(outcome.answer.results[0]?.topic?.configs).toEqual([
      { name: 'cleanup.policy', value: 'delete,compact' },
      { name: 'min.cleanable.dirty.ratio', value: '0.25' },
    ]);
    alter(cluster, [{ kind: 'subtract', name: 'cleanup.policy', value: 'delete' }]);
    expect(describeTopics(cluster.state)[0]?.configs[0]).toEqual({ name: 'cleanup.policy', value: 'compact' });
  });

  it('need not be journaled when nothing changes', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a', { 'retention.ms': '1' });
    expect(alter(cluster, [{ kind: 'set', name: 'retention.ms', value: '1' }]).changed).toBe(false);
    expect(alter(cluster, [], 'x').answer.results[0]?.errorCode).toBe(3);
  });
});

// So that a mirrored topic keeps them.
it('accepts tiered storage configs', () => {
  const cluster = new TestCluster();
  cluster.topic(1, 1, 'a');
  const set = (): number | undefined =>
    alter(cluster, [{ kind: 'set', name: 'remote.log.copy.disable', value: 'true' }]).answer.results[0]?.errorCode;
  const reset = (): number | undefined =>
    alter(cluster, [{ kind: 'delete', name: 'remote.log.delete.on.disable', value: '' }]).answer.results[0]?.errorCode;
  expect([set(), reset()]).toEqual([0, 0]);
  expect(describeTopics(cluster.state)[0]?.configs).toEqual([{ name: 'remote.log.copy.disable', value: 'true' }]);
});

describe('penstock.latency', () => {
  const set = (cluster: TestCluster, value: string) =>
    alter(cluster, [{ kind: 'set', name: 'penstock.latency', value }]).answer.results[0];
  const inMode = (cluster: TestCluster, mode: 'standard' | 'low-latency'): void => {
    cluster.do({ kind: 'update-settings', settings: { mode } });
  };

  it('is set and deleted', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a');
    expect(set(cluster, 'standard')?.errorCode).toBe(0);
    expect(alter(cluster, [{ kind: 'delete', name: 'penstock.latency', value: '' }]).answer.results[0]?.errorCode).toBe(
      0,
    );
    expect(describeTopics(cluster.state)[0]?.configs).toEqual([]);
  });

  it('can be low only in clusters with low-latency mode', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 'a');
    const refusal = { errorCode: 40, errorMessage: expect.stringContaining('Change the mode of the cluster') };
    const low = [{ name: 'penstock.latency', value: 'low' }];
    expect(set(cluster, 'low')).toMatchObject(refusal);
    expect(create(cluster, 'b', 1, low).answer.results[0]).toMatchObject(refusal);
    inMode(cluster, 'low-latency');
    expect(set(cluster, 'low')?.errorCode).toBe(0);
    expect(create(cluster, 'b', 1, low).answer.results[0]?.errorCode).toBe(0);
    // Back in standard mode it stays set without an effect, and tools may state it again.
    inMode(cluster, 'standard');
    expect(set(cluster, 'low')?.errorCode).toBe(0);
    expect(set(cluster, 'soon')).toMatchObject({
      errorCode: 40,
      errorMessage: expect.stringContaining('cluster, low, standard'),
    });
  });
});

describe('configs that exclude each other', () => {
  const lags = (least: string, most: string) => [
    { name: 'min.compaction.lag.ms', value: least },
    { name: 'max.compaction.lag.ms', value: most },
  ];

  it('are refused together, as in Kafka', () => {
    const cluster = new TestCluster();
    expect(create(cluster, 'a', 1, lags('2', '1')).answer.results[0]).toMatchObject({
      errorCode: 40,
      errorMessage: 'conflict topic config setting min.compaction.lag.ms (2) > max.compaction.lag.ms (1)',
    });
    expect(create(cluster, 'a', 1, lags('2', '2')).answer.results[0]?.errorCode).toBe(0);
    const outcome = alter(cluster, [{ kind: 'set', name: 'min.compaction.lag.ms', value: '3' }]);
    expect(outcome.answer.results[0]?.errorCode).toBe(40);
    expect(outcome.changed).toBe(false);
    expect(alter(cluster, [{ kind: 'delete', name: 'max.compaction.lag.ms', value: '' }]).changed).toBe(true);
  });

  it.each([
    ['min.cleanable.dirty.ratio', '1.1'],
    ['min.cleanable.dirty.ratio', '-0.1'],
    ['min.compaction.lag.ms', '-1'],
    ['max.compaction.lag.ms', '0'],
    ['delete.retention.ms', '-1'],
    ['segment.ms', '0'],
  ])('%s=%s is refused on its own', (name, value) => {
    expect(create(new TestCluster(), 'a', 1, [{ name, value }]).answer.results[0]?.errorCode).toBe(40);
  });
});
