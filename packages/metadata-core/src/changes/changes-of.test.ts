// What the audit log records of a command: what was accepted, and nothing else.
import { describe, expect, it } from 'vitest';
import { apply } from '../apply.ts';
import type { Command } from '../model/command.ts';
import { id, START_MS, TestCluster } from '../testing/cluster.ts';
import { acl, filter, verifier } from '../testing/security.ts';
import { TransactionalCluster } from '../testing/transactions.ts';
import { changesOf } from './changes-of.ts';

const newTopic = (name: string, number: number, partitions = 2) => ({
  name,
  topicId: id(number),
  partitions,
  configs: [{ name: 'retention.ms', value: '1000' }],
});

/** Applies commands to one cluster and returns the changes of the last. */
function changesOfLast(...commands: Command[]) {
  const { state } = new TestCluster();
  return commands.map((command) => changesOf(command, apply(state, command, START_MS))).at(-1);
}

const orders: Command = { kind: 'create-topics', topics: [newTopic('orders', 1)], validateOnly: false };

describe('the changes of a command', () => {
  it('name topics that were created, not those that were refused', () => {
    const topics = [newTopic('orders', 2), newTopic('returns', 3), newTopic('no/path', 4)];
    expect(changesOfLast(orders, { kind: 'create-topics', topics, validateOnly: false })).toEqual([
      { kind: 'topic-created', name: 'returns', partitions: 2, configs: [{ name: 'retention.ms', value: '1000' }] },
    ]);
  });

  it('name deleted topics by the name they had', () => {
    const returns: Command = { kind: 'create-topics', topics: [newTopic('returns', 2)], validateOnly: false };
    const command: Command = { kind: 'delete-topics', names: ['orders', 'orders', 'none'], topicIds: [id(2)] };
    expect(changesOfLast(orders, returns, command)).toEqual([
      { kind: 'topic-deleted', name: 'orders', partitions: 2 },
      { kind: 'topic-deleted', name: 'returns', partitions: 2 },
    ]);
  });

  it('name added partitions and altered configs', () => {
    const topics = [
      { name: 'orders', totalPartitions: 5 },
      { name: 'none', totalPartitions: 5 },
    ];
    expect(changesOfLast(orders, { kind: 'create-partitions', topics, validateOnly: false })).toEqual([
      { kind: 'partitions-added', name: 'orders', totalPartitions: 5 },
    ]);
    const ops = [{ kind: 'delete' as const, name: 'retention.ms', value: '' }];
    const altered = [
      { name: 'orders', ops },
      { name: 'none', ops },
    ];
    expect(changesOfLast(orders, { kind: 'alter-configs', topics: altered, validateOnly: false })).toEqual([
      { kind: 'configs-altered', name: 'orders', ops },
    ]);
  });

  it('name users without their verifiers', () => {
    const put: Command = {
      kind: 'alter-user-scram-credentials',
      upserts: [verifier(), verifier({ user: 'bob', iterations: 1 })],
      deletions: [{ user: 'nobody', mechanism: 1 }],
    };
    expect(changesOfLast(put)).toEqual([
      { kind: 'credential-put', user: 'alice', mechanism: 1, iterations: 4_096, expiresAtMs: 0 },
    ]);
    const deletion: Command = {
      kind: 'alter-user-scram-credentials',
      upserts: [],
      deletions: [{ user: 'alice', mechanism: 1 }],
    };
    expect(changesOfLast(put, deletion)).toEqual([{ kind: 'credential-deleted', user: 'alice', mechanism: 1 }]);
  });

  it('name each ACL once, though several filters match it', () => {
    const bindings = [acl(), acl({ resourceName: '' })];
    expect(changesOfLast({ kind: 'create-acls', bindings })).toEqual([{ kind: 'acls-created', acls: [acl()] }]);
    const deleted = changesOfLast(
      { kind: 'create-acls', bindings },
      {
        kind: 'delete-acls',
        filters: [filter(), filter({ resourceName: 'orders' })],
      },
    );
    expect(deleted).toEqual([{ kind: 'acls-deleted', acls: [acl()] }]);
  });

  it('name quotas and deleted groups', () => {
    const ops = [{ key: 'producer_byte_rate', value: 1_000 }];
    const alterations = [
      { user: 'alice', clientId: null, ops },
      { user: null, clientId: null, ops },
    ];
    expect(changesOfLast({ kind: 'alter-client-quotas', alterations, validateOnly: false })).toEqual([
      { kind: 'quota-altered', user: 'alice', clientId: null, ops },
    ]);
    const offset = { topic: 'orders', partition: 0, offset: 1, leaderEpoch: -1, metadata: '' };
    const commit: Command = {
      kind: 'commit-offsets',
      groupId: 'readers',
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      offsets: [offset],
    };
    expect(changesOfLast(orders, commit)).toEqual([]);
    expect(changesOfLast(orders, commit, { kind: 'delete-groups', groupIds: ['none', 'readers'] })).toEqual([
      { kind: 'group-deleted', groupId: 'readers' },
    ]);
  });

  it('name accepted group configs and metrics subscriptions', () => {
    const groupOps = [
      { name: 'consumer.heartbeat.interval.ms', value: '6000' },
      { name: 'consumer.session.timeout.ms', value: null },
    ];
    const groups = [
      { groupId: 'readers', ops: groupOps },
      { groupId: 'others', ops: [{ name: 'consumer.heartbeat.interval.ms', value: '1' }] },
    ];
    expect(changesOfLast({ kind: 'alter-group-configs', groups, validateOnly: false })).toEqual([
      { kind: 'group-configs-altered', groupId: 'readers', ops: groupOps },
    ]);
    expect(changesOfLast({ kind: 'alter-group-configs', groups, validateOnly: true })).toEqual([]);
    const ops = [{ kind: 'append' as const, name: 'metrics', value: 'org.apache.kafka.consumer.' }];
    const subscriptions = [
      { name: 'java', ops },
      { name: 'bad', ops: [{ kind: 'set' as const, name: 'interval.ms', value: '1' }] },
    ];
    expect(changesOfLast({ kind: 'alter-client-metrics', subscriptions, validateOnly: false })).toEqual([
      { kind: 'client-metrics-altered', name: 'java', ops },
    ]);
    expect(changesOfLast({ kind: 'alter-client-metrics', subscriptions, validateOnly: true })).toEqual([]);
  });

  it('name transactions aborted by an operator, not by producers', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('orders-1');
    const { transactionalId, producerId } = producer.claim;
    const abort: Command = { kind: 'abort-transaction', transactionalId, producerId };
    expect(changesOf(abort, cluster.any(abort))).toEqual([]);
    producer.add([0]);
    expect(changesOf(abort, cluster.any(abort))).toEqual([{ kind: 'transaction-aborted', transactionalId }]);
    const again = cluster.producer('orders-1');
    again.add([0]);
    const end: Command = { kind: 'end-transaction', ...again.claim, isCommit: false, bumpsEpoch: false };
    const ended = cluster.any(end);
    expect([ended.changed, changesOf(end, ended)]).toEqual([true, []]);
  });

  it('are none when nothing changed', () => {
    expect(changesOfLast({ ...orders, validateOnly: true })).toEqual([]);
    expect(
      changesOfLast({ kind: 'create-acls', bindings: [acl()] }, { kind: 'create-acls', bindings: [acl()] }),
    ).toEqual([]);
  });
});
