// What clients do with records and offsets is counted by agent key, topic or group, and hour, for the audit log.
import { expect, test } from 'vitest';
import { connectAgent } from '../testing/agent-client.ts';
import { ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

test('counts deletions and foreign commits, but no refused calls', async () => {
  const controlPlane = await ControlPlaneFixture.create();
  const server = await startTestServer(controlPlane.database.ownerUrl);
  const cluster = await controlPlane.createCluster();
  const connection = connectAgent(server.rpcUrl, cluster);
  const { client } = connection;
  try {
    const { results } = await client.createTopics({ topics: [{ name: 'orders', partitions: 2 }] });
    const topicId = results[0]?.topicId ?? new Uint8Array();
    const deletion = (partition: number) => ({ topicId, partition, beforeOffset: -1n });
    await client.deleteRecords({ partitions: [deletion(0), deletion(1)] });
    await client.deleteRecords({ partitions: [deletion(0)] });
    await client.deleteRecords({ partitions: [deletion(7)] });

    const offset = { topic: 'orders', partition: 0, offset: 0n, leaderEpoch: -1, metadata: '' };
    const commit = { groupId: 'a\0b', generationId: -1, memberId: '', offsets: [offset] };
    await client.commitOffsets(commit);
    await client.commitOffsets({ ...commit, generationId: 4, memberId: 'stranger' });
    await client.deleteOffsets({ groupId: 'a\0b', partitions: [{ topic: 'orders', partition: 0 }] });
    await client.deleteOffsets({ groupId: 'missing', partitions: [{ topic: 'orders', partition: 0 }] });
  } finally {
    connection.close();
    await server.close();
  }
  const { rows } = await controlPlane.pool.query(
    `SELECT kind, subject, cluster_id, sum(calls)::int AS calls FROM agent_key_deed
     GROUP BY kind, subject, cluster_id ORDER BY kind`,
  );
  const { clusterId } = cluster;
  expect(rows).toEqual([
    { kind: 'commit-offsets', subject: 'a\uFFFDb', cluster_id: clusterId, calls: 1 },
    { kind: 'delete-offsets', subject: 'a\uFFFDb', cluster_id: clusterId, calls: 1 },
    { kind: 'delete-records', subject: 'orders', cluster_id: clusterId, calls: 2 },
  ]);
  await controlPlane.drop();
});
