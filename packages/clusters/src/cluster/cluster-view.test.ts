import { create } from '@bufbuild/protobuf';
import { ClusterViewSchema } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { toLiveClusterView } from './cluster-view.ts';

/** In the consumer protocol: orders, with partition 0. */
const ORDERS_0 = Uint8Array.from([
  0,
  1,
  0,
  0,
  0,
  1,
  0,
  6,
  ...Buffer.from('orders'),
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  0,
  255,
  255,
  255,
  255,
]);

test.each([
  ['topic', { topics: [{ highWatermark: [1n] }] }],
  ['group', { groups: [{ lagRecords: [1n] }] }],
])('refuses a view of a %s that does not say which', (what, view) => {
  expect(() => toLiveClusterView(create(ClusterViewSchema, view))).toThrow(
    `a view of a ${what} without its description`,
  );
});

test('shows group epochs and the targets of waiting members', () => {
  const member = (memberId: string, memberEpoch: number, partitions: number[]) => ({
    memberId,
    memberEpoch,
    targetAssignment: [{ topicName: 'orders', partitions }],
  });
  const view = create(ClusterViewSchema, {
    groups: [
      {
        group: {
          groupId: 'readers',
          groupType: 'Consumer',
          state: 'Reconciling',
          protocolType: 'consumer',
          members: [
            { memberId: 'settled', assignment: ORDERS_0 },
            { memberId: 'waiting', assignment: ORDERS_0 },
          ],
        },
        consumerGroup: { groupEpoch: 7, members: [member('settled', 7, [0]), member('waiting', 6, [1, 0])] },
      },
      {
        group: {
          groupId: 'classic',
          groupType: 'Classic',
          state: 'Stable',
          protocolType: 'consumer',
          members: [{ memberId: 'm' }],
        },
      },
    ],
  });
  const orders = (...partitions: number[]) => [{ topic: 'orders', partitions }];
  const { groups } = toLiveClusterView(view);
  expect(groups).toMatchObject([
    {
      type: 'Consumer',
      groupEpoch: 7,
      members: [
        { memberEpoch: 7, assignment: orders(0), targetAssignment: null },
        { memberEpoch: 6, assignment: orders(0), targetAssignment: orders(0, 1) },
      ],
    },
    { type: 'Classic', groupEpoch: null, members: [{ memberEpoch: null, assignment: [], targetAssignment: null }] },
  ]);
});
