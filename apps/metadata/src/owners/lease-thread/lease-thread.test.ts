// The lease thread on a real PostgreSQL, with a main thread that is blocked and with a lease thread that dies.
import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { MemoryJournal, MemoryStops } from '@penstock/metadata-journal';
import { cellUrls } from '@penstock/platform';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../testing/cluster-fixture.ts';
import { ControlPlaneFixture } from '../../testing/control-plane-fixture.ts';
import { blockThread, LeaseRival } from '../../testing/lease-rival.ts';
import { systemClock } from '../clock.ts';
import { randomIds } from '../ids.ts';
import type { KeptLease, LeaseHolder } from '../lease-keeper.ts';
import { Owners } from '../owners.ts';
import { LeaseThread, startLeaseWorker } from './lease-thread.ts';

/** Twice that of the service: a renewal waits for a durable commit, which takes seconds on a slow machine that compiles meanwhile. */
const TTL_MS = 10_000;
/** Timeout for tests that hang; far above what they take. */
const TIMEOUT_MS = 60_000;

let controlPlane: ControlPlaneFixture;
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) {
    await end();
  }
});

afterAll(() => controlPlane.drop());

async function createCluster(): Promise<string> {
  return (await controlPlane.createCluster()).clusterId;
}

interface Kept {
  holder: LeaseHolder;
  lease: KeptLease;
  events: string[];
}

function startHolder(options: { maxSilenceMs?: number; onWorker?: (worker: Worker) => void } = {}): LeaseHolder {
  const { maxSilenceMs = TIMEOUT_MS, onWorker } = options;
  const holder = new LeaseThread({
    cells: cellUrls(controlPlane.database.ownerUrl, {}),
    owner: { ownerId: randomUUID(), ownerUrl: 'http://one' },
    ttlMs: TTL_MS,
    clock: systemClock,
    logger: silentLogger,
    maxSilenceMs,
    startWorker: (data) => {
      const worker = startLeaseWorker(data);
      onWorker?.(worker);
      return worker;
    },
  });
  endings.push(async () => void (await holder.stop()));
  return holder;
}

async function acquire(holder: LeaseHolder, of?: string): Promise<Kept> {
  const clusterId = of ?? (await createCluster());
  const events: string[] = [];
  const answer = await holder.acquire(clusterId, {
    onLost: (reason) => events.push(`lost: ${reason}`),
    onGiveUp: (reason) => events.push(`give up: ${reason}`),
  });
  if (answer.outcome !== 'acquired') {
    throw new Error(`the lease is ${answer.outcome}`);
  }
  return { holder, lease: answer.lease, events };
}

async function startRival(clusterIds: readonly string[]): Promise<LeaseRival> {
  const rival = new LeaseRival(controlPlane.database.url, clusterIds);
  endings.push(() => rival.stop());
  await rival.tried();
  return rival;
}

test('a main thread blocked for twice the lease TTL keeps its lease, and knows so without a message', async () => {
  const { lease, events } = await acquire(startHolder());
  const rival = await startRival([lease.clusterId]);
  blockThread(2 * TTL_MS);
  expect(lease.isValid()).toBe(true);
  await rival.tried();
  expect(rival.taken).toBe(0);
  expect(events).toEqual([]);
});

test('a main thread that hangs for longer than allowed loses its leases to others, and knows so when it resumes', async () => {
  const { lease, events } = await acquire(startHolder({ maxSilenceMs: TTL_MS }));
  const rival = await startRival([lease.clusterId]);
  rival.blockUntilTaken(TIMEOUT_MS);
  expect(lease.isValid()).toBe(false);
  expect(rival.taken).toBe(1);
  await expect.poll(() => events).toEqual(['lost: another process holds the lease']);
});

test('when the lease thread dies its leases are lost at once, and a new thread replaces it', async () => {
  const workers: Worker[] = [];
  const { holder, lease, events } = await acquire(startHolder({ onWorker: (worker) => workers.push(worker) }));
  const { clusterId } = lease;
  await workers[0]?.terminate();
  expect(lease.isValid()).toBe(false);
  expect(events).toEqual(['lost: the lease thread of this process died']);
  expect(holder.obstacle).toBe('the lease thread of this process died');
  expect(await holder.acquire(clusterId, { onLost: () => undefined, onGiveUp: () => undefined })).toMatchObject({
    outcome: 'refused',
  });
  await expect.poll(() => holder.obstacle).toBeUndefined();
  expect((await acquire(holder, clusterId)).lease.isValid()).toBe(true);
  expect(workers).toHaveLength(2);
});

test('a released lease is free at once; one acquired again is not released by its earlier holder', async () => {
  const holder = startHolder();
  const early = await acquire(holder);
  const late = await acquire(holder, early.lease.clusterId);
  expect([early.lease.isValid(), late.lease.isValid()]).toEqual([false, true]);
  await early.lease.release();
  expect(late.lease.isValid()).toBe(true);
  await late.lease.release();
  expect(late.lease.isValid()).toBe(false);
  expect((await acquire(startHolder(), early.lease.clusterId)).lease.isValid()).toBe(true);
});

test("time is never ahead of the database's clock", async () => {
  const { holder } = await acquire(startHolder());
  const reportedMs = holder.nowMs();
  const client = new Client({ connectionString: controlPlane.database.url });
  await client.connect();
  endings.push(() => client.end());
  const { rows } = await client.query<{ ms: number }>(
    'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  expect(reportedMs).toBeLessThanOrEqual(rows[0]?.ms ?? 0);
  expect(holder.clockErrorMs).toBe(0);
});

test('opening the largest of fifty clusters, which blocks for twice the lease TTL, costs no other its lease', async () => {
  const clusterIds = await Promise.all(Array.from({ length: 50 }, createCluster));
  const [largest, ...others] = clusterIds;
  if (largest === undefined) {
    throw new Error('there are fifty');
  }
  class JournalWithOneLarge extends MemoryJournal {
    override async readSnapshot(clusterId: string, beforeSeq?: number) {
      if (clusterId === largest) {
        blockThread(2 * TTL_MS);
      }
      return await super.readSnapshot(clusterId, beforeSeq);
    }
  }
  const owners = new Owners({
    journal: new JournalWithOneLarge(),
    keeper: startHolder(),
    stops: new MemoryStops(() => Date.now()),
    directory: {
      setMaxUncompressedBatchBytes: async () => undefined,
      lookUp: async (ids) =>
        ids.map((clusterId) => ({
          clusterId,
          organizationId: 'org',
          autoCreateTopics: true,
          defaultPartitions: 1,
          offsetsRetentionMinutes: 10_080,
          maxUncompressedBatchBytes: 67_108_864,
          mode: 'standard' as const,
          writesRefusedReason: null,
          isPaying: true,
          isSuspended: false,
          isDeleted: false,
        })),
    },
    clock: systemClock,
    ids: randomIds,
    logger: silentLogger,
    journalKeptMs: 0,
    initialRebalanceDelayMs: 0,
    jobPlanSecrets: [{ id: 1, secret: 'a root secret of tests, of more than 32 characters' }],
  });
  endings.push(() => owners.shutDown());
  const opened = await Promise.all(others.map((clusterId) => owners.get(clusterId)));
  const greedy = await startRival(others);
  opened.push(await owners.get(largest));
  // Every owner still answers reads, which requires a valid lease.
  const answers = await Promise.all(opened.map((owner) => owner.read((state) => state.clusterId)));
  expect(new Set(answers)).toEqual(new Set(clusterIds));
  await greedy.tried();
  expect(greedy.taken).toBe(0);
});
