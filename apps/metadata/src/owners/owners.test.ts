import { randomUUID } from 'node:crypto';
import {
  apply,
  type Command,
  createState,
  decodeEntry,
  encodeEntry,
  type Id,
  meterOf,
  type RulesVersion,
} from '@penstock/metadata-core';
import { JOURNAL_START, MemoryLeases, MemoryStops } from '@penstock/metadata-journal';
import { DAY_MS } from '@penstock/units';
import { beforeEach, describe, expect, test } from 'vitest';
import { commitOf, silentLogger } from '../testing/cluster-fixture.ts';
import { ControlledJournal } from '../testing/controlled-journal.ts';
import { ManualClock, settle } from '../testing/manual-clock.ts';
import type { HostClock } from './clock.ts';
import type { ClusterRecord } from './cluster-directory.ts';
import { ClusterDeleted, NotOwner } from './errors.ts';
import { randomIds } from './ids.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Owner } from './owner.ts';
import { Owners } from './owners.ts';

const TTL_MS = 5_000;

let clock: ManualClock;
let journal: ControlledJournal;
let leases: MemoryLeases;
let records: Map<string, ClusterRecord>;
let clusterId: string;
/** Directory lookups wait for this promise. */
let waitInDirectory: Promise<void> | undefined;
/** The reason why processes refuse further clusters. */
let refusal: string | undefined;

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) {
    throw new Error('the fixture sets it');
  }
  return value;
}

beforeEach(() => {
  waitInDirectory = undefined;
  refusal = undefined;
  clock = new ManualClock();
  journal = new ControlledJournal();
  leases = new MemoryLeases(() => clock.monotonicMs());
  clusterId = randomUUID();
  records = new Map();
  records.set(clusterId, {
    clusterId,
    organizationId: 'org',
    autoCreateTopics: true,
    defaultPartitions: 3,
    offsetsRetentionMinutes: 10_080,
    maxUncompressedBatchBytes: 67_108_864,
    mode: 'standard',
    writesRefusedReason: null,
    isPaying: true,
    isSuspended: false,
    isDeleted: false,
  });
});

/** The database's clock. */
function databaseMs(): number {
  return clock.monotonicMs();
}

/** @param skewMs how far the clock of its host is ahead of the database's */
function startProcess(name: string, skewMs = 0, raiseRulesTo?: RulesVersion): Owners {
  return new Owners({
    journal,
    keeper: new LeaseKeeper({
      leases,
      owner: { ownerId: name, ownerUrl: `http://${name}` },
      ttlMs: TTL_MS,
      clock: skewed(skewMs),
      onRenewalFailed: () => undefined,
    }),
    stops: new MemoryStops(databaseMs),
    directory: {
      lookUp: async (ids) => {
        await waitInDirectory;
        return ids.flatMap((id) => records.get(id) ?? []);
      },
      setMaxUncompressedBatchBytes: async (id, bytes) => {
        Object.assign(records.get(id) ?? {}, { maxUncompressedBatchBytes: bytes });
      },
    },
    clock: skewed(skewMs),
    ids: randomIds,
    logger: silentLogger,
    journalKeptMs: 0,
    raiseRulesTo,
    initialRebalanceDelayMs: 0,
    jobPlanSecrets: [{ id: 1, secret: 'a root secret of tests, of more than 32 characters' }],
    refusal: () => refusal,
  });
}

function skewed(byMs: number): HostClock {
  return {
    nowMs: () => clock.nowMs() + byMs,
    monotonicMs: () => clock.monotonicMs(),
    bootMs: () => clock.bootMs(),
    after: (delayMs, fire) => clock.after(delayMs, fire),
    soon: (fire) => clock.soon(fire),
  };
}

function identity() {
  return { clusterId, organizationId: 'org' };
}

async function createTopic(owner: Owner): Promise<Id> {
  const topicId = randomIds.uuidBytes();
  const topics = [{ name: 'orders', topicId, partitions: 1, configs: [] }];
  await owner.submit({ kind: 'create-topics', topics, validateOnly: false });
  return topicId;
}

test('concurrent first requests open a cluster once', async () => {
  const owners = startProcess('one');
  const opened = await Promise.all(Array.from({ length: 10 }, () => owners.get(clusterId)));
  expect(new Set(opened).size).toBe(1);
  const entries = await journal.entries(clusterId);
  expect(entries.filter((entry) => decodeEntry(entry.bytes).commands.length === 0)).toHaveLength(1);
});

test('another process names the owner', async () => {
  await startProcess('one').get(clusterId);
  await expect(startProcess('two').get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://one' });
});

test('a lease renewed in time keeps others out; after a shutdown another process has the cluster at once', async () => {
  const [one, two] = [startProcess('one'), startProcess('two')];
  const owner = await one.get(clusterId);
  await clock.advance(TTL_MS * 4);
  await expect(two.get(clusterId)).rejects.toThrow(NotOwner);
  await one.shutDown();
  await clock.advance(300);
  await two.get(clusterId);
  await expect(owner.read((state) => state.clusterId)).rejects.toThrow(NotOwner);
  await expect(one.get(clusterId)).rejects.toThrow(NotOwner);
});

test('an owner that cannot renew its lease stops answering reads before another process may acquire it', async () => {
  const one = startProcess('one');
  const owner = await one.get(clusterId);
  leases.renew = async () => {
    throw new Error('the database cannot be reached');
  };
  await clock.advance(TTL_MS * 0.9);
  await expect(startProcess('two').get(clusterId)).rejects.toThrow(NotOwner);
  await owner.read((state) => state.clusterId);
  await clock.advance(TTL_MS * 0.09);
  await expect(owner.read((state) => state.clusterId)).rejects.toThrow(NotOwner);
});

test('an owner whose lease was taken steps down, and the process then names the new owner', async () => {
  const one = startProcess('one');
  const owner = await one.get(clusterId);
  // As after a pause: the lease expired unnoticed and the other process acquired it.
  await leases.release({ clusterId, epoch: 1, cell: 'main' }, { ownerId: 'one', ownerUrl: 'http://one' });
  await startProcess('two').get(clusterId);
  await clock.advance(TTL_MS);
  expect(owner.isClosed).toBe(true);
  await expect(one.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://two' });
});

test('an owner whose cluster moves to another cell finishes its calls and releases it', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  journal.hold();
  const topics = [{ name: 'orders', topicId: randomIds.uuidBytes(), partitions: 1, configs: [] }];
  const underWay = owner.submit({ kind: 'create-topics', topics, validateOnly: false });
  leases.askToLeave(clusterId);
  await clock.advance(TTL_MS / 2);
  expect(owner.isClosed).toBe(true);
  await expect(owners.get(clusterId)).rejects.toThrow(NotOwner);
  expect(await leases.acquire(clusterId, { ownerId: 'mover', ownerUrl: '' }, TTL_MS)).toMatchObject({
    outcome: 'held-by-other',
  });
  journal.release();
  expect((await underWay).results[0]?.errorCode).toBe(0);
  await settle();
  // The lease is free: nobody has to wait until it expires.
  expect(await leases.acquire(clusterId, { ownerId: 'mover', ownerUrl: '' }, TTL_MS)).toMatchObject({
    outcome: 'moving',
  });
  await expect(owners.get(clusterId)).rejects.toMatchObject({ ownerUrl: undefined });
});

test('a process whose append failed reopens the cluster by itself, since it still holds the lease', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  journal.failNext('answer-lost-after-storing');
  const topicId = randomIds.uuidBytes();
  const topics = [{ name: 'orders', topicId, partitions: 1, configs: [] }];
  await expect(owner.submit({ kind: 'create-topics', topics, validateOnly: false })).rejects.toThrow('stepped down');
  const next = await owners.get(clusterId);
  expect(next).not.toBe(owner);
  expect(await next.read((state) => state.topicsByName.has('orders'))).toBe(true);
});

test('a cluster that cannot be loaded is refused and its lease released, so that another process may try', async () => {
  const one = startProcess('one');
  journal.failNext('lost-before-storing');
  await expect(one.get(clusterId)).rejects.toThrow(NotOwner);
  await startProcess('two').get(clusterId);
});

test('a process that refuses further clusters keeps its own, even after an owner steps down', async () => {
  const other = { ...present(records.get(clusterId)), clusterId: randomUUID() };
  records.set(other.clusterId, other);
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  refusal = 'no memory';
  await expect(owners.get(other.clusterId)).rejects.toThrow(/no memory/);
  expect(await owner.read((state) => state.clusterId)).toBe(clusterId);
  journal.failNext('answer-lost-after-storing');
  await expect(createTopic(owner)).rejects.toThrow('stepped down');
  await clock.advance(TTL_MS * 2);
  await owners.get(clusterId);
  refusal = undefined;
  await startProcess('two').get(other.clusterId);
});

test('settings of the control plane are applied to the cluster', async () => {
  const owner = await startProcess('one').get(clusterId);
  expect(await owner.read((state) => state.settings.defaultPartitions)).toBe(3);
  const record = records.get(clusterId);
  if (record !== undefined) {
    record.defaultPartitions = 8;
  }
  await clock.advance(3_000);
  expect(await owner.read((state) => state.settings.defaultPartitions)).toBe(8);
});

test('the retention of offsets is applied once the cluster is at rules level 4', async () => {
  const record = records.get(clusterId);
  if (record === undefined) {
    throw new Error('the record is there');
  }
  record.offsetsRetentionMinutes = 60;
  const minutes = (owner: Owner) => owner.read((state) => state.settings.offsetsRetentionMinutes);
  const first = startProcess('one');
  const owner = await first.get(clusterId);
  await clock.advance(3_000);
  expect(await minutes(owner)).toBe(10_080);
  await first.shutDown();
  const raised = await startProcess('two', 0, 4).get(clusterId);
  await clock.advance(3_000);
  expect(await minutes(raised)).toBe(60);
});

test('the largest uncompressed batch is applied once the cluster is at rules level 6', async () => {
  const bytes = (owner: Owner) => owner.read((state) => state.settings.maxUncompressedBatchBytes);
  const first = startProcess('one', 0, 5);
  expect(await bytes(await first.get(clusterId))).toBe(1024 ** 3);
  await first.shutDown();
  const second = startProcess('two', 0, 6);
  const raised = await second.get(clusterId);
  await clock.advance(3_000);
  expect(await bytes(raised)).toBe(67_108_864);
  await second.storeMaxUncompressedBatchBytes(clusterId, 5_000);
  await clock.advance(3_000);
  expect(await bytes(raised)).toBe(5_000);
});

test('a spending cap refuses writes with its reason, and they are accepted again after it', async () => {
  const owner = await startProcess('one').get(clusterId);
  const settings = () =>
    owner.read(({ settings: { writesRefused, writesRefusedReason } }) => [writesRefused, writesRefusedReason]);
  expect(await settings()).toEqual([false, '']);
  const record = records.get(clusterId);
  if (record === undefined) {
    throw new Error('the record is there');
  }
  record.writesRefusedReason = 'The cap of $10.00 is reached.';
  await clock.advance(3_000);
  expect(await settings()).toEqual([true, 'The cap of $10.00 is reached.']);
  record.writesRefusedReason = null;
  await clock.advance(3_000);
  expect(await settings()).toEqual([false, '']);
});

test('the mode of a cluster follows the control plane, and later minutes are metered in it', async () => {
  const owner = await startProcess('one').get(clusterId);
  const record = records.get(clusterId);
  if (record === undefined) {
    throw new Error('the record is there');
  }
  record.mode = 'low-latency';
  await clock.advance(3_000);
  expect(await owner.read((state) => state.settings.mode)).toBe('low-latency');
});

test('a deleted cluster is closed and refused, and available again once restored', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  const record = records.get(clusterId);
  if (record === undefined) {
    throw new Error('the record is there');
  }
  record.isDeleted = true;
  await clock.advance(3_000);
  await expect(owner.read((state) => state.clusterId)).rejects.toThrow(ClusterDeleted);
  await expect(owners.get(clusterId)).rejects.toThrow(ClusterDeleted);
  record.isDeleted = false;
  await owners.get(clusterId);
});

test('a cluster that does not exist is refused', async () => {
  await expect(startProcess('one').get(randomUUID())).rejects.toThrow(ClusterDeleted);
});

test('a lease lost while its cluster is opening leaves no owner behind', async () => {
  const one = startProcess('one');
  journal.hold();
  const opening = one.get(clusterId);
  const refused = expect(opening).rejects.toThrow(NotOwner);
  await settle();
  // As after a pause: another process has the lease, and has not appended anything yet.
  await leases.release({ clusterId, epoch: 1, cell: 'main' }, { ownerId: 'one', ownerUrl: 'http://one' });
  await leases.acquire(clusterId, { ownerId: 'two', ownerUrl: 'http://two' }, TTL_MS * 10);
  await clock.advance(TTL_MS);
  journal.release();
  await refused;
  expect([...one.openOwners]).toEqual([]);
  await expect(one.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://two' });
});

test('a process whose lease expired while it was opening a cluster does not serve it', async () => {
  const one = startProcess('one');
  await settle();
  leases.renew = () => new Promise(() => undefined);
  journal.hold();
  const refused = expect(one.get(clusterId)).rejects.toThrow(NotOwner);
  await settle();
  await clock.advance(TTL_MS);
  journal.release();
  await refused;
  expect([...one.openOwners]).toEqual([]);
});

test('a shutdown does not wait for a cluster that is opening, and leaves its lease to other processes', async () => {
  const one = startProcess('one');
  let lookUp = Promise.withResolvers<void>();
  journal.memory.readSnapshot = async () => {
    await lookUp.promise;
    return undefined;
  };
  const refused = expect(one.get(clusterId)).rejects.toThrow(NotOwner);
  await settle();
  const stopped = one.shutDown();
  lookUp.resolve();
  await Promise.all([refused, stopped]);
  expect(await journal.entries(clusterId)).toEqual([]);
  lookUp = Promise.withResolvers();
  lookUp.resolve();
  await startProcess('two').get(clusterId);
});

test('a cluster opened during a directory lookup is not treated as deleted', async () => {
  const other = { ...present(records.get(clusterId)), clusterId: randomUUID() };
  records.set(other.clusterId, other);
  const owners = startProcess('one');
  await owners.get(clusterId);
  const { promise, resolve } = Promise.withResolvers<void>();
  waitInDirectory = promise;
  await clock.advance(2_000);
  waitInDirectory = undefined;
  const opened = await owners.get(other.clusterId);
  resolve();
  await settle();
  expect(opened.isClosed).toBe(false);
});

test('a cluster deleted while it is opening is never served', async () => {
  const owners = startProcess('one');
  journal.hold();
  const refused = expect(owners.get(clusterId)).rejects.toThrow(ClusterDeleted);
  await settle();
  present(records.get(clusterId)).isDeleted = true;
  await clock.advance(2_000);
  journal.release();
  await refused;
});

describe('time', () => {
  test("a host's own clock never becomes the time of an entry", async () => {
    const owner = await startProcess('ahead', 3_000).get(clusterId);
    await createTopic(owner);
    await clock.advance(10_000);
    await owner.submit({
      kind: 'init-producer-id',
      producerId: -1,
      producerEpoch: -1,
      requestId: randomIds.uuidBytes(),
    });
    const times = (await journal.entries(clusterId)).map((entry) => decodeEntry(entry.bytes).nowMs);
    expect(times).toHaveLength(3);
    expect(Math.max(...times)).toBeLessThanOrEqual(databaseMs());
    expect(Math.max(...times)).toBeGreaterThan(databaseMs() - TTL_MS);
  });

  test.each([DAY_MS, -DAY_MS])('a host %i ms off owns no clusters and reports it', async (skewMs) => {
    const owners = startProcess('off', skewMs);
    await expect(owners.get(clusterId)).rejects.toThrow(/clock/);
    expect(await journal.entries(clusterId)).toEqual([]);
    await startProcess('right').get(clusterId);
  });

  test('a cluster whose time was a day ahead takes commits at once, and its minutes count in the right hour', async () => {
    const aheadMs = databaseMs() + DAY_MS;
    const topicId = randomIds.uuidBytes();
    const commands: Command[] = [
      {
        kind: 'register-agent',
        agentId: 'a',
        zone: '',
        version: '',
        advertisedHost: '',
        advertisedPort: 1,
        bucket: 'b',
      },
      { kind: 'create-topics', topics: [{ name: 'orders', topicId, partitions: 1, configs: [] }], validateOnly: false },
      commitOf(topicId, [0], 1, aheadMs),
      { kind: 'minute-mark', minute: Math.floor(aheadMs / 60_000), aliveAgentIds: ['a'] },
    ];
    const thrownAhead = createState(clusterId);
    const effects = commands.map((command) => apply(thrownAhead, command, aheadMs).effects);
    await journal.append(identity(), JOURNAL_START, encodeEntry({ nowMs: aheadMs, commands, meter: meterOf(effects) }));
    const owner = await startProcess('one', 0, 2).get(clusterId);
    const answer = await owner.submit(commitOf(topicId, [0], 1, databaseMs()));
    expect(answer).toMatchObject({ errorCode: 0 });
    expect([...answer.batchBaseOffset]).toEqual([1]);
    const marked = async (): Promise<number> => await owner.read((state) => state.lastMarkedMinute);
    await clock.advance(1_000);
    expect(await marked()).toBe(Math.floor(databaseMs() / 60_000));
    // Nothing waits for times set by the wrong clock: a later opening has the same state.
    const times = (await journal.entries(clusterId)).slice(1).map((entry) => decodeEntry(entry.bytes).nowMs);
    expect(Math.max(...times)).toBeLessThanOrEqual(databaseMs());
  });
});
