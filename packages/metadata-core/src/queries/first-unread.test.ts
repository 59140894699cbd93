import { expect, test } from 'vitest';
import { TestCluster } from '../testing/cluster.ts';
import { firstUnreadMaxTimestampMs } from './first-unread.ts';

const batch = (records: number, timestampMs: number) => [{ batches: [{ records, timestampMs }] }];

function threeRuns(): TestCluster {
  const cluster = new TestCluster();
  cluster.topic(1, 1, 't');
  cluster.commit(batch(3, 100));
  cluster.commit(batch(3, 50));
  cluster.commit(batch(3, 300));
  return cluster;
}

test.each([
  [0, 100],
  [2, 100],
  [3, 50],
  [6, 300],
  [8, 300],
  [9, -1],
  [50, -1],
  // A group without committed offsets has read nothing.
  [-1, 100],
])('finds from offset %i the first unread record in run %i', (committed, expected) => {
  expect(firstUnreadMaxTimestampMs(threeRuns().state, 't', 0, committed)).toBe(expected);
});

test('ignores deleted records and gives missing ones no age', () => {
  const cluster = new TestCluster();
  const topicId = cluster.topic(1, 1, 't');
  cluster.topic(2, 1, 'empty');
  cluster.commit(batch(3, 100));
  cluster.commit(batch(3, 200));
  cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset: 4 }] });
  const of = (topic: string, partition = 0) => firstUnreadMaxTimestampMs(cluster.state, topic, partition, 0);
  expect([of('t'), of('t', 9), of('empty'), of('nowhere')]).toEqual([200, -1, -1, -1]);
});
