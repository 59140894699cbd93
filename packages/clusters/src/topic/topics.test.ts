import { describe, expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createFakeMetadata } from '../testing/fake-metadata.ts';
import { alterTopicConfigs } from './alter-topic-configs.ts';
import { createTopic } from './create-topic.ts';
import { deleteTopic } from './delete-topic.ts';
import { type TopicConfigs, topicConfigs } from './topic-input.ts';

const plane = setUpControlPlane();

async function setUp() {
  const tenant = await plane.newTenant();
  const cluster = await plane.newCluster(tenant);
  const metadata = createFakeMetadata();
  return {
    tenant,
    metadata,
    clusterId: cluster.id,
    create: (name: string) =>
      tenant.run((scope) => createTopic(scope, metadata, { clusterId: cluster.id, name, partitions: -1 })),
    remove: (name: string, confirmation = name) =>
      tenant.run((scope) => deleteTopic(scope, metadata, { clusterId: cluster.id, name, confirmation })),
  };
}

describe('topics', () => {
  test('a created topic has the owner’s partitions and an audit row', async () => {
    const { tenant, create, clusterId } = await setUp();
    expect(await create('orders')).toEqual({ name: 'orders', partitions: 12 });
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'topic.create',
      targetId: `${clusterId}/orders`,
      after: { name: 'orders', partitions: 12 },
    });
  });

  test('the owner’s refusal is readable and writes no audit row', async () => {
    const { tenant, create, remove } = await setUp();
    await create('orders');
    const rows = (await plane.auditOf(tenant)).length;
    expect(await refusalOf(create('orders'))).toBe('topic_exists');
    expect(await refusalOf(remove('payments'))).toBe('topic_not_found');
    expect(await plane.auditOf(tenant)).toHaveLength(rows);
  });

  test('an unreachable metadata service writes no audit row', async () => {
    const { tenant, metadata, create } = await setUp();
    metadata.isDown = true;
    const rows = (await plane.auditOf(tenant)).length;
    expect(await refusalOf(create('orders'))).toBe('metadata_unavailable');
    expect(await plane.auditOf(tenant)).toHaveLength(rows);
  });

  test('deleting a topic requires its exact name to be typed', async () => {
    const { metadata, create, remove } = await setUp();
    await create('orders');
    expect(await refusalOf(remove('orders', 'Orders'))).toBe('confirmation_mismatch');
    expect(metadata.topics).toEqual(new Set(['orders']));
    await remove('orders');
    expect(metadata.topics).toEqual(new Set());
  });

  test('never asks about another organization’s cluster', async () => {
    const { metadata, clusterId } = await setUp();
    const stranger = await plane.newTenant();
    const create = stranger.run((scope) => createTopic(scope, metadata, { clusterId, name: 'stolen', partitions: 1 }));
    expect(await refusalOf(create)).toBe('cluster_not_found');
    expect(metadata.topics).toEqual(new Set());
  });

  test('changes configs together and audits them by name', async () => {
    const { tenant, metadata, create, clusterId } = await setUp();
    await create('orders');
    const alter = (name: string, configs: TopicConfigs) =>
      tenant.run((scope) => alterTopicConfigs(scope, metadata, { clusterId, name, configs }));
    await alter('orders', { 'retention.ms': '3600000', 'max.message.bytes': null });
    expect([...metadata.configs]).toEqual([
      ['orders retention.ms', '3600000'],
      ['orders max.message.bytes', null],
    ]);
    expect((await plane.auditOf(tenant)).at(-1)).toMatchObject({
      action: 'topic.alter-configs',
      after: { name: 'orders', 'retention.ms': '3600000', 'max.message.bytes': 'default' },
    });
    const rows = (await plane.auditOf(tenant)).length;
    expect(await refusalOf(alter('payments', { 'retention.ms': '1' }))).toBe('topic_not_found');
    await alter('orders', {});
    expect(await plane.auditOf(tenant)).toHaveLength(rows);
  });

  test.each([
    ['retention.ms', '-1', true],
    ['retention.ms', '9223372036854775807', true],
    ['retention.ms', '9223372036854775808', false],
    ['retention.ms', '-2', false],
    ['retention.ms', '1.5', false],
    ['retention.ms', '', false],
    ['retention.bytes', '1e9', false],
    ['max.message.bytes', '2147483647', true],
    ['max.message.bytes', '2147483648', false],
    ['max.message.bytes', '-1', false],
  ])('%s may be “%s”: %s, as in Kafka', (name, value, isValid) => {
    expect(topicConfigs.safeParse({ [name]: value }).success).toBe(isValid);
  });
});
