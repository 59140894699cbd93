import { expect, test } from 'vitest';
import { assignedCount, groupPartitions } from './group-partitions';

function member(memberId: string, assignment: { topic: string; partitions: number[] }[]) {
  return {
    memberId,
    clientId: 'reader',
    clientHost: '10.0.0.1',
    groupInstanceId: null,
    assignment,
    memberEpoch: null,
    targetAssignment: null,
  };
}

test('each partition has its offset, its lag and its reader', () => {
  const first = member('first', [{ topic: 'orders', partitions: [0, 2] }]);
  const second = member('second', [{ topic: 'clicks', partitions: [1] }]);
  const offset = { committedOffset: 5, lagRecords: 3, lagSeconds: 1 };
  const partitions = groupPartitions({
    members: [first, second],
    offsets: [
      { topic: 'orders', partition: 2, ...offset },
      { topic: 'orders', partition: 1, ...offset },
    ],
  });
  const none = { committedOffset: null, lagRecords: null, lagSeconds: null };
  expect(partitions).toEqual([
    { topic: 'clicks', partition: 1, ...none, member: second },
    { topic: 'orders', partition: 0, ...none, member: first },
    { topic: 'orders', partition: 1, ...offset, member: null },
    { topic: 'orders', partition: 2, ...offset, member: first },
  ]);
  expect([first, second].map(assignedCount)).toEqual([2, 1]);
});
