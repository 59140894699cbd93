// The service on a real PostgreSQL in which some statements hang.
import { generateAgentKey } from '@penstock/platform';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectAgent } from './testing/agent-client.ts';
import { ControlPlaneFixture } from './testing/control-plane-fixture.ts';
import { startTestServer } from './testing/test-server.ts';

const LEASE_TTL_MS = 1_500;

let controlPlane: ControlPlaneFixture;
const endings: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) {
    await end();
  }
});

afterAll(() => controlPlane.drop());

async function query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  const { rows } = await controlPlane.pool.query(text, values);
  return rows;
}

test.each(['agent_key', 'telemetry.agent'])(
  'renews leases and appends while statements about %s hang',
  async (table) => {
    const server = await startTestServer(controlPlane.database.ownerUrl, LEASE_TTL_MS);
    endings.push(() => server.close());
    const { clusterId, key } = await controlPlane.createCluster();
    const connection = connectAgent(server.rpcUrl, { clusterId, key });
    endings.push(() => connection.close());
    await connection.client.describeCluster({});

    const blocker = await controlPlane.pool.connect();
    endings.push(() => blocker.release());
    await blocker.query('BEGIN');
    await blocker.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    endings.push(async () => void (await blocker.query('ROLLBACK')));
    const calls = Array.from({ length: 40 }, () => {
      if (table !== 'agent_key') {
        const incarnationId = crypto.getRandomValues(new Uint8Array(16));
        return connection.client.reportTelemetry({ incarnationId, agentId: 'agent', sentElapsedMs: 1n });
      }
      const unknown = connectAgent(server.rpcUrl, { clusterId, key: generateAgentKey().plaintext });
      endings.push(() => unknown.close());
      return unknown.client.describeCluster({});
    });
    for (const call of calls) {
      call.catch(() => undefined);
    }
    await expect
      .poll(
        () => query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
        {
          timeout: 60_000,
        },
      )
      .not.toEqual([]);

    const entries = async (): Promise<number> => {
      const [row] = await query<{ seq: string }>('SELECT max(seq) AS seq FROM metadata_journal WHERE cluster_id = $1', [
        clusterId,
      ]);
      return Number(row?.seq);
    };
    const before = await entries();
    // The control plane's change becomes an entry, even while statements about keys and reports hang.
    await query('UPDATE virtual_cluster SET default_partitions = 7 WHERE id = $1', [clusterId]);
    const [started] = await query<{ at: Date }>('SELECT clock_timestamp() AS at');
    for (;;) {
      const [lease] = await query<{ is_live: boolean; is_over: boolean }>(
        `SELECT expires_at > clock_timestamp() AS is_live,
                expires_at > $2::timestamptz + 3 * $3::float8 * interval '1 millisecond' AS is_over
         FROM metadata_lease WHERE cluster_id = $1`,
        [clusterId, started?.at, LEASE_TTL_MS],
      );
      expect(lease?.is_live).toBe(true);
      if (lease?.is_over) {
        break;
      }
    }
    await expect.poll(entries, { timeout: 60_000 }).toBeGreaterThan(before);
  },
  120_000,
);
