// The lease thread on a real PostgreSQL, with a main thread that is blocked and with a lease thread that dies.
import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import {
  type LeaseOwner,
  MemoryDeadFiles,
  MemoryJournal,
  MemoryStops,
  PostgresLeases,
} from '@penstock/metadata-journal';
import { cellUrls } from '@penstock/platform';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { describeLeaseHolder } from '../../contract/lease-holder-contract.ts';
import { silentLogger } from '../../testing/cluster-fixture.ts';
import { ControlPlaneFixture } from '../../testing/control-plane-fixture.ts';
import { blockThread, LeaseRival } from '../../testing/lease-rival.ts';
import { MemoryDirectory } from '../../testing/memory-directory.ts';
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

interface HolderOptions {
  owner?: LeaseOwner;
  maxSilenceMs?: number;
  onWorker?: (worker: Worker) => void;
}

function startHolder(options: HolderOptions = {}): LeaseHolder {
  const { maxSilenceMs = TIMEOUT_MS, onWorker } = options;
  const { owner = { ownerId: randomUUID(), ownerUrl: 'http://one' } } = options;
  const holder = new LeaseThread({
    cells: cellUrls(controlPlane.database.ownerUrl, {}),
    owner,
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

// And knows so without a message.
test('a main thread blocked for twice the TTL keeps its lease', async () => {
  const { lease, events } = await acquire(startHolder());
  const rival = await startRival([lease.clusterId]);
  blockThread(2 * TTL_MS);
  expect(lease.isValid()).toBe(true);
  await rival.tried();
  expect(rival.taken).toBe(0);
  expect(events).toEqual([]);
});

// And knows so when it resumes.
test('a main thread that hangs too long loses its leases', async () => {
  const { lease, events } = await acquire(startHolder({ maxSilenceMs: TTL_MS }));
  const rival = await startRival([lease.clusterId]);
  rival.blockUntilTaken(TIMEOUT_MS);
  expect(lease.isValid()).toBe(false);
  expect(rival.taken).toBe(1);
  await expect.poll(() => events).toEqual(['lost: another process holds the lease']);
});

test('a dead lease thread loses its leases and is replaced', async () => {
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

describeLeaseHolder('thread', {
  start: (owner) => startHolder({ owner }),
  createCluster,
  leases: () => new PostgresLeases(controlPlane.pool),
  ttlMs: TTL_MS,
  askToLeave: async (clusterId) => {
    await controlPlane.pool.query(
      `UPDATE metadata_lease SET placement = 'leaving', leaving_until = clock_timestamp() + interval '1 hour' WHERE cluster_id = $1`,
      [clusterId],
    );
  },
  databaseMs: async () => {
    const { rows } = await controlPlane.pool.query<{ ms: number }>(
      'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    return rows[0]?.ms ?? 0;
  },
  passUntil: (isTrue) => expect.poll(isTrue).toBe(true),
});

// It blocks for twice the lease TTL.
test('opening the largest cluster costs no other its lease', async () => {
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
  const directory = new MemoryDirectory();
  for (const clusterId of clusterIds) {
    directory.add(clusterId);
  }
  const owners = new Owners({
    journal: new JournalWithOneLarge(),
    keeper: startHolder(),
    stops: new MemoryStops(() => Date.now()),
    directory,
    clock: systemClock,
    ids: randomIds,
    logger: silentLogger,
    journalKeptMs: 0,
    deadFiles: new MemoryDeadFiles(),
    restoreWindowMs: 0,
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
