// Moves a cluster between two cells while producers write, and measures what they notice. Uses two real processes, a control database, and
// a cell on a PostgreSQL server of its own.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFenceEntry, type Id } from '@penstock/metadata-core';
import { Cells, initCell, moveCluster, PostgresCellDirectory } from '@penstock/metadata-journal';
import { withAccess } from '@penstock/platform';
import { freePort } from '@penstock/servers/free-port';
import { type PostgresServer, startPostgresServer } from '@penstock/servers/postgres-server';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CommittingAgents, OwnerFollower } from './testing/committing-agents.ts';
import { type ClusterWithKey, ControlPlaneFixture } from './testing/control-plane-fixture.ts';
import { ServiceProcess } from './testing/service-process.ts';

const LEASE_TTL_MS = 5_000;
const AGENTS = 8;
/** Timeout for tests that hang; far above what they take. */
const TIMEOUT_MS = 240_000;

let controlPlane: ControlPlaneFixture;
let other: PostgresServer;
let otherUrl: string;
let folder: string;
let cells: Cells;
let cluster: ClusterWithKey;
let processes: ServiceProcess[];
let follower: OwnerFollower;
let topicId: Id;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-cell-'));
  // The server may run under an account of its own.
  await chmod(folder, 0o755);
  const files = { dataDir: join(folder, 'data'), logFile: join(folder, 'log') };
  const port = await freePort();
  [controlPlane, other] = await Promise.all([
    ControlPlaneFixture.create(),
    startPostgresServer({ ...files, port, password: 'cell' }),
  ]);
  otherUrl = other.url('postgres');
  const urls = new Map([
    ['main', controlPlane.database.ownerUrl],
    ['other', otherUrl],
  ]);
  cells = new Cells(urls, (connectionString, cell) => {
    // As `cells move` does.
    const pool = new Pool({ connectionString, max: 4, ...(cell === 'main' ? withAccess('operator') : {}) });
    // Dropping the database breaks connections that are still closing.
    pool.on('error', () => undefined);
    return pool;
  });
  await initCell(cells.pool('other'));
});

afterAll(async () => {
  await cells.close();
  await controlPlane.drop();
  await other.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startPair(): Promise<void> {
  cluster = await controlPlane.createCluster();
  const start = () =>
    ServiceProcess.start(controlPlane.database.ownerUrl, LEASE_TTL_MS, { cells: { other: otherUrl } });
  processes = await Promise.all([start(), start()]);
  follower = new OwnerFollower(
    processes.map((process) => process.rpcUrl),
    cluster,
  );
  const created = await follower.call((client) => client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] }));
  topicId = created.results[0]?.topicId ?? new Uint8Array();
}

afterEach(async () => {
  follower.close();
  await Promise.all(processes.map((process) => process.end()));
});

async function acknowledgedMore(agents: CommittingAgents, count: number): Promise<void> {
  const goal = agents.count + count;
  await vi.waitFor(() => expect(agents.count).toBeGreaterThanOrEqual(goal), { timeout: TIMEOUT_MS, interval: 10 });
}

async function move(toCell: string) {
  return await moveCluster({
    cells,
    directory: new PostgresCellDirectory(cells.pool('main')),
    clusterId: cluster.clusterId,
    organizationId: 'org',
    toCell,
    fenceEntry: encodeFenceEntry,
  });
}

async function expectNothingLostOrDoubled(agents: CommittingAgents): Promise<void> {
  const { lost, highWatermark } = await agents.audit();
  expect(lost).toEqual([]);
  expect(new Set(agents.acknowledged.values()).size).toBe(agents.acknowledged.size);
  expect(highWatermark).toBe(agents.acknowledged.size);
}

// The pause is printed.
test('moves under load lose and duplicate nothing', async () => {
  await startPair();
  const agents = new CommittingAgents(follower, topicId, AGENTS);
  await acknowledgedMore(agents, 200);
  for (const cell of ['other', 'main', 'other', 'main']) {
    agents.takeLongestGapMs();
    const { copiedEntries, unownedMs } = await move(cell);
    await acknowledgedMore(agents, 200);
    const owner = await cells
      .pool(cell)
      .query<{ owner_url: string }>('SELECT owner_url FROM metadata_lease WHERE cluster_id = $1', [cluster.clusterId]);
    expect(processes.map((process) => process.rpcUrl)).toContain(owner.rows[0]?.owner_url);
    process.stdout.write(
      `moved to ${cell}: ${copiedEntries} entries copied, unowned for ${unownedMs.toFixed(0)} ms, longest gap of the producers ${agents.takeLongestGapMs().toFixed(0)} ms\n`,
    );
  }
  await agents.stop();
  await expectNothingLostOrDoubled(agents);
});

test('a move survives a killed owner without loss or duplicates', async () => {
  await startPair();
  const agents = new CommittingAgents(follower, topicId, AGENTS);
  await acknowledgedMore(agents, 200);
  const { rows } = await controlPlane.pool.query<{ owner_url: string }>(
    'SELECT owner_url FROM metadata_lease WHERE cluster_id = $1',
    [cluster.clusterId],
  );
  const moved = move('other');
  processes.find((process) => process.rpcUrl === rows[0]?.owner_url)?.kill('SIGKILL');
  await moved;
  await acknowledgedMore(agents, 200);
  await agents.stop();
  await expectNothingLostOrDoubled(agents);
});
