// A condition holds back a wrong command: each test tampers with one outcome, or with the state behind it.
import { describe, expect, it } from 'vitest';
import { apply } from '../apply.ts';
import { InvariantError } from '../model/assert.ts';
import type { CommandKind, CommandOf } from '../model/command.ts';
import type { Outcome } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { commitOf, id, TestCluster } from '../testing/cluster.ts';
import { CONDITIONS } from './conditions.ts';
import type { Conditions } from './conditions.types.ts';
import { outlineOf, requireOwnPartsOnly, requireSane } from './outline.ts';

/** Applies a command, then checks its conditions against a changed outcome or state. */
function after<K extends CommandKind>(
  cluster: TestCluster,
  command: CommandOf<K> & { kind: K },
  tamper: (outcome: Outcome<K>, state: ClusterState) => Outcome<K>,
): () => void {
  const { state, nowMs } = cluster;
  const conditions = CONDITIONS[command.kind] as Conditions<K>;
  const requireAfter = conditions(outlineOf(state), state, command, nowMs);
  const outcome = apply<K>(state, command, nowMs);
  return () => requireAfter(tamper(outcome, state));
}

function clusterWithTopic(): TestCluster {
  const cluster = new TestCluster();
  cluster.topic(1, 2);
  return cluster;
}

describe('conditions', () => {
  it('accept the outcome of the command itself', () => {
    const cluster = clusterWithTopic();
    const command = commitOf(cluster.newFileId(), [{ batches: [{ records: 3 }] }]);
    expect(after(cluster, command, (outcome) => outcome)).not.toThrow();
  });

  it('name what was found and what is due', () => {
    const cluster = clusterWithTopic();
    const command = commitOf(cluster.newFileId(), [{ batches: [{ records: 3 }] }]);
    const check = after(cluster, command, (outcome, state) => {
      state.totals.files = 7;
      return outcome;
    });
    expect(check).toThrow(
      new InvariantError('invariant broken: a commit is one file in the totals: found 7, due is 1'),
    );
  });

  it('notice a run that does not end at the high watermark', () => {
    const cluster = clusterWithTopic();
    const command = commitOf(cluster.newFileId(), [{ batches: [{ records: 3 }] }]);
    const check = after(cluster, command, (outcome) => {
      const { appended } = outcome.effects;
      appended?.baseOffset.fill(1);
      return outcome;
    });
    expect(check).toThrow('a run ends at the high watermark: found 4, due is 3');
  });

  it('notice a producer id that is granted twice', () => {
    const cluster = new TestCluster();
    const command = { kind: 'init-producer-id', producerId: -1, producerEpoch: -1, requestId: id(9) } as const;
    const check = after(cluster, command, (outcome) => ({ ...outcome, answer: { ...outcome.answer, producerId: 0 } }));
    expect(check).toThrow('producer ids are granted in order: found 0, due is 1');
  });

  it('notice a deleted topic that is still there', () => {
    const cluster = clusterWithTopic();
    const topic = cluster.state.topics.get([...cluster.state.topics.keys()][0] ?? '');
    const command = { kind: 'delete-topics', names: ['topic-1'], topicIds: [] } as const;
    const check = after(cluster, { ...command, names: [...command.names], topicIds: [] }, (outcome, state) => {
      if (topic !== undefined) {
        state.topicsByName.set(topic.name, topic);
      }
      return outcome;
    });
    expect(check).toThrow('each name of a deleted topic is removed: found 1, due is 0');
  });

  it('notice a committed offset that is not stored', () => {
    const cluster = clusterWithTopic();
    const offset = { topic: 'topic-1', partition: 0, offset: 5, leaderEpoch: -1, metadata: '' };
    const command = {
      kind: 'commit-offsets',
      groupId: 'g',
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      offsets: [offset],
    } as const;
    const check = after(cluster, { ...command, offsets: [offset] }, (outcome, state) => {
      state.groups.get('g')?.offsets.get('topic-1')?.delete(0);
      return outcome;
    });
    expect(check).toThrow('a committed offset is stored: found undefined, due is 5');
  });

  it('notice a command that changes what is not its own', () => {
    const { state } = clusterWithTopic();
    const before = outlineOf(state);
    state.nextProducerId += 1;
    expect(() => requireOwnPartsOnly(before, state, 'create-topics', true)).toThrow('the next producer id stays');
  });

  it('notice a command that changes what it says it leaves', () => {
    const { state } = clusterWithTopic();
    const before = outlineOf(state);
    state.totals.records += 1n;
    expect(() => requireOwnPartsOnly(before, state, 'commit-file', false)).toThrow('the total of records stays');
  });

  it('notice a count that is not sane before a command', () => {
    const { state, nowMs } = clusterWithTopic();
    state.partitionCount = 0;
    expect(() => requireSane(state, nowMs)).toThrow('a topic has a partition: found 0, the least is 1');
    expect(() => requireSane(new TestCluster().state, Number.NaN)).toThrow('the time of a command');
  });
});
