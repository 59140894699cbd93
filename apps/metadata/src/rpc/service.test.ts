import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorCode } from '@penstock/metadata-core';
import { ClusterMode, type ClusterSettings } from '@penstock/metadata-protocol';
import { newId, signAdminToken } from '@penstock/platform';
import { HOUR_MS } from '@penstock/units';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { connectAdmin, connectAgent } from '../testing/agent-client.ts';
import { ADMIN_KEYS, type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let cluster: ClusterWithKey;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  cluster = await controlPlane.createCluster();
  server = await startTestServer(controlPlane.database.ownerUrl);
});

afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});

/** The code and message of a refused call. */
async function refusal(call: Promise<unknown>): Promise<{ code: Code; message: string }> {
  try {
    await call;
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    return { code, message: rawMessage };
  }
  throw new Error('the call was not refused');
}

/** A data file of one record. */
function fileOf(topicId: Uint8Array) {
  return {
    fileId: Buffer.from(newId().replaceAll('-', ''), 'hex'),
    fileBytes: 1_000n,
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: [0n],
    runBatches: [1],
    batchBytes: [1_000],
    batchRecords: [1],
    batchMaxTimestampMs: [0n],
    batchUncompressedBytes: [1_000n],
  };
}

/** Reads a stream to its end, skipping keep-alive events. */
async function readToEnd(events: AsyncIterator<unknown>): Promise<void> {
  let next = await events.next();
  while (next.done !== true) {
    next = await events.next();
  }
}

async function withAgent<Result>(
  headers: { key?: string; clusterId?: string },
  use: (client: ReturnType<typeof connectAgent>['client']) => Promise<Result>,
): Promise<Result> {
  const connection = connectAgent(server.rpcUrl, headers);
  try {
    return await use(connection.client);
  } finally {
    connection.close();
  }
}

describe('agent keys', () => {
  const describeCluster = (headers: { key?: string; clusterId?: string }) =>
    withAgent(headers, (client) => client.describeCluster({}));

  test('a valid key gives access to its cluster', async () => {
    expect((await describeCluster(cluster)).clusterId).toBe(cluster.clusterId);
  });

  test.each([
    { what: 'no key', key: undefined, message: /no agent key/ },
    { what: 'something that is no key', key: 'hello', message: /malformed/ },
    { what: 'a key with a typing error', key: `psk_agent_${'a'.repeat(32)}_aaaaaa`, message: /mistyped/ },
  ])('$what is refused as unauthenticated, with the reason', async ({ key, message }) => {
    const { clusterId } = cluster;
    const refused = await refusal(describeCluster(key === undefined ? { clusterId } : { clusterId, key }));
    expect(refused.code).toBe(Code.Unauthenticated);
    expect(refused.message).toMatch(message);
  });

  test('a key that the database does not know is refused as unknown', async () => {
    const { key, keyId } = await controlPlane.createKey(cluster.clusterId);
    await controlPlane.pool.query('DELETE FROM agent_key WHERE id = $1', [keyId]);
    const refused = await refusal(describeCluster({ clusterId: cluster.clusterId, key }));
    expect(refused).toMatchObject({ code: Code.Unauthenticated, message: expect.stringMatching(/unknown/) });
  });

  test('a key of another cluster is refused as permission_denied', async () => {
    const other = await controlPlane.createCluster();
    const refused = await refusal(describeCluster({ clusterId: cluster.clusterId, key: other.key }));
    expect(refused).toMatchObject({
      code: Code.PermissionDenied,
      message: expect.stringMatching(/another virtual cluster/),
    });
  });

  test('a malformed cluster id is refused as invalid_argument', async () => {
    expect((await refusal(describeCluster({ key: cluster.key, clusterId: 'prod' }))).code).toBe(Code.InvalidArgument);
    expect((await refusal(describeCluster({ key: cluster.key }))).code).toBe(Code.InvalidArgument);
  });

  test('a deleted cluster is not found', async () => {
    const deleted = await controlPlane.createCluster();
    await controlPlane.pool.query('UPDATE virtual_cluster SET deleted_at = now() WHERE id = $1', [deleted.clusterId]);
    expect((await refusal(describeCluster(deleted))).code).toBe(Code.NotFound);
  });

  test('a revoked key loses calls and streams within three seconds', { tags: ['timed'] }, async () => {
    const { key, keyId } = await controlPlane.createKey(cluster.clusterId);
    await withAgent({ clusterId: cluster.clusterId, key }, async (client) => {
      const events = client.watch({ agentId: 'revoked' })[Symbol.asyncIterator]();
      await events.next();
      const ended = refusal(readToEnd(events));
      await controlPlane.pool.query('UPDATE agent_key SET revoked_at = now() WHERE id = $1', [keyId]);
      const revokedMs = performance.now();
      expect(await ended).toMatchObject({ code: Code.Unauthenticated, message: expect.stringMatching(/revoked/) });
      expect(performance.now() - revokedMs).toBeLessThan(3_000);
      expect((await refusal(client.describeCluster({}))).message).toMatch(/revoked/);
    });
  });

  test('the last use of a key is recorded', async () => {
    const { key, keyId } = await controlPlane.createKey(cluster.clusterId);
    await describeCluster({ clusterId: cluster.clusterId, key });
    await expect
      .poll(async () => {
        const { rows } = await controlPlane.pool.query('SELECT last_used_at FROM agent_key WHERE id = $1', [keyId]);
        return rows[0]?.last_used_at instanceof Date;
      })
      .toBe(true);
  });
});

describe('the token of the control plane', () => {
  test('alone gives access to the dashboard view', async () => {
    const good = connectAdmin(server.adminUrl, ADMIN_KEYS);
    const bad = connectAdmin(server.adminUrl, cluster.key);
    try {
      const view = await good.client.getClusterView({ clusterId: cluster.clusterId });
      expect(view.clusterId).toBe(cluster.clusterId);
      const refused = await refusal(bad.client.getClusterView({ clusterId: cluster.clusterId }));
      expect(refused.code).toBe(Code.Unauthenticated);
    } finally {
      good.close();
      bad.close();
    }
  });

  // The process has no clusters, whose leases a wrong clock would end. Without the cluster, the answer shows that the token was accepted.
  test.each([HOUR_MS, -HOUR_MS])('is dated by the database, not the host (%i ms off)', async (errorMs) => {
    const wrong = await startTestServer(controlPlane.database.ownerUrl);
    const clusterId = newId();
    const nowMs = Date.now();
    const token = await signAdminToken(ADMIN_KEYS, { method: 'GetClusterView', clusterId }, nowMs);
    const { client, close } = connectAdmin(wrong.adminUrl, token);
    const hostClock = vi.spyOn(Date, 'now').mockReturnValue(nowMs + errorMs);
    try {
      expect((await refusal(client.getClusterView({ clusterId }))).code).toBe(Code.NotFound);
    } finally {
      hostClock.mockRestore();
      close();
      await wrong.close();
    }
  });
});

describe('bad requests', () => {
  // Nothing is stored.
  test('columns of unequal lengths are refused by field', async () => {
    await withAgent(cluster, async (client) => {
      const request = {
        fileId: new Uint8Array(16),
        runTopic: [0, 0],
        runPartition: [0],
        runPosition: [0n],
        runBatches: [1],
      };
      const refused = await refusal(client.commitFile(request));
      expect(refused).toMatchObject({ code: Code.InvalidArgument, message: expect.stringMatching(/run_partition/) });
    });
  });

  test('an id of the wrong length is refused by field', async () => {
    await withAgent(cluster, async (client) => {
      const refused = await refusal(client.locate({ cursors: [{ topicId: new Uint8Array(3), partition: 0 }] }));
      expect(refused).toMatchObject({
        code: Code.InvalidArgument,
        message: expect.stringMatching(/cursors\[0\]\.topic_id/),
      });
    });
  });

  test('a message beyond the size limit is refused unread', async () => {
    await withAgent(cluster, async (client) => {
      const call = client.describeCluster({ topicNames: ['x'.repeat(300 * 1024)] });
      expect((await refusal(call)).code).toBe(Code.ResourceExhausted);
    });
  });
});

describe('settings of the control plane', () => {
  test('reach the agents on their open stream', async () => {
    const own = await controlPlane.createCluster();
    await withAgent(own, async (client) => {
      const events = client.watch({ agentId: 'a' })[Symbol.asyncIterator]();
      const first = await events.next();
      expect(first.value?.settings).toMatchObject({ autoCreateTopics: true, defaultPartitions: 12 });
      await controlPlane.pool.query('UPDATE virtual_cluster SET default_partitions = 7 WHERE id = $1', [own.clusterId]);
      let defaultPartitions: number | undefined;
      while (defaultPartitions !== 7) {
        defaultPartitions = (await events.next()).value?.settings?.defaultPartitions;
      }
      expect(defaultPartitions).toBe(7);
    });
  });

  test('a changed mode reaches present and future agents', async () => {
    const own = await controlPlane.createCluster();
    await withAgent(own, async (client) => {
      const events = client.watch({ agentId: 'a' })[Symbol.asyncIterator]();
      expect((await events.next()).value?.settings).toMatchObject({
        mode: ClusterMode.STANDARD,
        maxWrittenBytesPerSecond: 0n,
      });
      await controlPlane.pool.query(`UPDATE virtual_cluster SET mode = 'dev' WHERE id = $1`, [own.clusterId]);
      let settings: ClusterSettings | undefined;
      while (settings?.mode !== ClusterMode.DEV) {
        settings = (await events.next()).value?.settings;
      }
      expect(settings.maxWrittenBytesPerSecond).toBe(10n * 1024n ** 2n);
    });
    await withAgent(own, async (client) => {
      const events = client.watch({ agentId: 'b' })[Symbol.asyncIterator]();
      expect((await events.next()).value?.settings?.mode).toBe(ClusterMode.DEV);
    });
  });
});

describe('health', () => {
  test('readiness and metrics answer over HTTP/1.1', async () => {
    expect((await fetch(`${server.httpUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.httpUrl}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${server.httpUrl}/metrics`)).text();
    expect(metrics).toMatch(/^penstock_metadata_clusters_owned [1-9]/m);
    expect(metrics.endsWith('# EOF\n')).toBe(true);
  });
});

describe('a suspended organization', () => {
  async function suspend(organizationId: string, readsAllowed: boolean): Promise<void> {
    await controlPlane.pool.query(
      `INSERT INTO organization_suspension (organization_id, reason, reads_allowed, suspended_by, suspended_at)
       VALUES ($1, 'Abuse was reported.', $2, 'Operator ada', now())
       ON CONFLICT (organization_id) DO UPDATE SET reads_allowed = EXCLUDED.reads_allowed`,
      [organizationId, readsAllowed],
    );
  }

  async function lift(): Promise<void> {
    await controlPlane.pool.query('DELETE FROM organization_suspension');
  }

  // Whatever its agents do.
  test('gets no more files committed within five seconds', { tags: ['timed'] }, async () => {
    const own = await controlPlane.createCluster();
    await withAgent(own, async (client) => {
      const { results } = await client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] });
      const topicId = results[0]?.topicId ?? new Uint8Array(0);
      const commit = async () => {
        const { errorCode, errorMessage } = await client.commitFile(fileOf(topicId));
        return { errorCode, errorMessage };
      };
      expect((await commit()).errorCode).toBe(0);
      const events = client.watch({ agentId: 'a' })[Symbol.asyncIterator]();
      await events.next();
      const suspendedMs = performance.now();
      await suspend('org', true);
      let settings: ClusterSettings | undefined;
      while (settings?.writesRefused !== true) {
        settings = (await events.next()).value?.settings ?? settings;
      }
      const reason = 'Writes are blocked because this organization is suspended: Abuse was reported.';
      expect(settings.writesRefusedReason).toBe(reason);
      const refused = { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage: reason };
      await expect.poll(commit, { timeout: 60_000, interval: 50 }).toEqual(refused);
      expect(performance.now() - suspendedMs).toBeLessThan(5_000);
      // Reads stay open.
      expect((await client.locate({ cursors: [{ topicId, partition: 0 }] })).located).toHaveLength(1);
      await lift();
      await expect.poll(commit, { timeout: 60_000, interval: 50 }).toMatchObject({ errorCode: 0 });
    });
  });

  // Within five seconds.
  test('with blocked reads is refused until its suspension ends', { tags: ['timed'] }, async () => {
    const own = await controlPlane.createCluster();
    await withAgent(own, async (client) => {
      const events = client.watch({ agentId: 'a' })[Symbol.asyncIterator]();
      await events.next();
      const ended = refusal(readToEnd(events));
      const suspendedMs = performance.now();
      await suspend('org', false);
      // Agents keep trying: their key is good.
      expect((await ended).code).toBe(Code.Unavailable);
      expect(await refusal(client.describeCluster({}))).toEqual({
        code: Code.Unavailable,
        message: 'the organization is suspended: Abuse was reported.',
      });
      expect(performance.now() - suspendedMs).toBeLessThan(5_000);
      await lift();
      const describeCluster = () => client.describeCluster({}).catch(() => undefined);
      await expect.poll(describeCluster, { timeout: 60_000 }).toMatchObject({ clusterId: own.clusterId });
    });
  });
});
