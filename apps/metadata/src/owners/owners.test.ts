import { randomUUID } from 'node:crypto';
import {
  apply,
  type Command,
  createState,
  decodeEntry,
  encodeEntry,
  type Id,
  meterOf,
  NEWEST_RULES,
  OLDEST_RULES,
} from '@penstock/metadata-core';
import { JOURNAL_START, MemoryDeadFiles, MemoryLeases, MemoryStops } from '@penstock/metadata-journal';
import { DAY_MS } from '@penstock/units';
import { beforeEach, describe, expect, test } from 'vitest';
import { commitOf, silentLogger } from '../testing/cluster-fixture.ts';
import { ControlledJournal } from '../testing/controlled-journal.ts';
import { ManualClock, settle } from '../testing/manual-clock.ts';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import type { HostClock } from './clock.ts';
import { ClusterDeleted, NotOwner } from './errors.ts';
import { randomIds } from './ids.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Owner } from './owner.ts';
import { Owners } from './owners.ts';

const TTL_MS = 5_000;

let clock: ManualClock;
let journal: ControlledJournal;
let leases: MemoryLeases;
let directory: MemoryDirectory;
let clusterId: string;
/** Directory lookups wait for this promise. */
let waitInDirectory: Promise<void> | undefined;
/** The reason why processes refuse further clusters. */
let refusal: string | undefined;

beforeEach(() => {
  waitInDirectory = undefined;
  refusal = undefined;
  clock = new ManualClock();
  journal = new ControlledJournal();
  leases = new MemoryLeases(() => clock.monotonicMs());
  clusterId = randomUUID();
  directory = new MemoryDirectory();
  directory.add(clusterId, { defaultPartitions: 3 });
});

/** The time by the database's clock. */
function databaseMs(): number {
  return clock.monotonicMs();
}

/** @param skewMs how far the clock of its host is ahead of the database's */
function startProcess(name: string, skewMs = 0): Owners {
  return new Owners({
    journal,
    keeper: new LeaseKeeper({
      leases,
      owner: { ownerId: name, ownerUrl: `http://${name}` },
      ttlMs: TTL_MS,
      clock: skewed(skewMs),
      onRenewalFailed: () => undefined,
    }),
    holder: (id) => leases.holder(id),
    stops: new MemoryStops(databaseMs),
    directory: {
      lookUp: async (ids) => {
        await waitInDirectory;
        return await directory.lookUp(ids);
      },
      setMaxUncompressedBatchBytes: (id, bytes) => directory.setMaxUncompressedBatchBytes(id, bytes),
    },
    clock: skewed(skewMs),
    ids: randomIds,
    logger: silentLogger,
    journalKeptMs: 0,
    deadFiles: new MemoryDeadFiles(),
    restoreWindowMs: 0,
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
  expect(entries.filter(({ bytes }) => decodeEntry(bytes).commands[0]?.kind === 'raise-rules-level')).toHaveLength(1);
});

test('another process names the owner', async () => {
  await startProcess('one').get(clusterId);
  await expect(startProcess('two').get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://one' });
});

test('a renewed lease keeps others out until the shutdown', async () => {
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

test('an owner that cannot renew stops reads before its expiry', async () => {
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

test('a process that must not own clusters names the owner', async () => {
  const one = startProcess('one');
  await one.get(clusterId);
  refusal = 'an operator drains it';
  await expect(startProcess('two').get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://one' });
  refusal = undefined;
  const wrong = startProcess('wrong', 3_600_000);
  await settle();
  await expect(wrong.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://one' });
  await one.shutDown();
  await clock.advance(300);
  const nobody = { ownerUrl: undefined, message: expect.stringContaining('the clock of this host') };
  await expect(wrong.get(clusterId)).rejects.toMatchObject(nobody);
});

describe('a cluster that is handed over', () => {
  const two = { ownerId: 'two', ownerUrl: 'http://two', adminUrl: undefined };

  test('goes on at the named process, with all that was acknowledged', async () => {
    const [one, receiver] = [startProcess('one'), startProcess('two')];
    const owner = await one.get(clusterId);
    const topicId = await createTopic(owner);
    const pending = owner.submit(commitOf(topicId, [0], 1, databaseMs()));
    expect(await one.handOver(clusterId, two)).toBe(true);
    await pending;
    expect(owner.isClosed).toBe(true);
    await expect(one.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://two' });
    const next = await receiver.get(clusterId);
    expect(await next.read((state) => state.topics.size)).toBe(1);
    expect(next.journalSeq).toBeGreaterThan(owner.journalSeq);
    expect([one.clusterCount, receiver.clusterCount]).toEqual([0, 1]);
  });

  test('is opened by no other process', async () => {
    const [one, three] = [startProcess('one'), startProcess('three')];
    await one.get(clusterId);
    await one.handOver(clusterId, two);
    await expect(three.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://two' });
    await clock.advance(2_000);
    await expect(one.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://two' });
  });

  test('is free again when the named process does not come', async () => {
    const one = startProcess('one');
    await one.get(clusterId);
    await one.handOver(clusterId, two);
    await clock.advance(TTL_MS + 1);
    await one.get(clusterId);
  });

  // Sent on before, they would find the cluster still owned here.
  test('answers calls once the other process can own it', async () => {
    const [one, receiver] = [startProcess('one'), startProcess('two')];
    await one.get(clusterId);
    const passing = Promise.withResolvers<void>();
    const handOver = leases.handOver.bind(leases);
    leases.handOver = async (...args) => {
      await passing.promise;
      await handOver(...args);
    };
    const moved = one.handOver(clusterId, two);
    let isAnswered = false;
    const call = one.get(clusterId).catch((error: unknown) => {
      isAnswered = true;
      return error;
    });
    await settle();
    expect(isAnswered).toBe(false);
    passing.resolve();
    await moved;
    expect(await call).toMatchObject({ ownerUrl: 'http://two' });
    await receiver.get(clusterId);
  });

  test('lapses when its lease cannot be passed on', async () => {
    const one = startProcess('one');
    await one.get(clusterId);
    leases.handOver = async () => {
      throw new Error('the database cannot be reached');
    };
    await expect(one.handOver(clusterId, two)).rejects.toThrow('cannot be reached');
    await clock.advance(TTL_MS + 1);
    await startProcess('three').get(clusterId);
  });

  test('must be open here', async () => {
    const one = startProcess('one');
    expect(await one.handOver(clusterId, two)).toBe(false);
    await startProcess('two').get(clusterId);
  });
});

test('clusters without traffic come first', async () => {
  const one = startProcess('one');
  const ids = [clusterId, randomUUID(), randomUUID()];
  const [busy, written, quiet] = ids;
  for (const id of ids.slice(1)) {
    directory.add(id, { defaultPartitions: 3 });
  }
  for (const id of ids) {
    const owner = await one.get(id);
    if (id !== quiet) {
      const topicId = await createTopic(owner);
      if (id === busy) {
        await owner.submit(commitOf(topicId, [0], 1, databaseMs()));
      }
    }
  }
  expect(one.quietestFirst()).toEqual([quiet, written, busy]);
});

test('an owner whose lease was taken names the new owner', async () => {
  const one = startProcess('one');
  const owner = await one.get(clusterId);
  // As after a pause: the lease expired unnoticed and the other process acquired it.
  await leases.release({ clusterId, epoch: 1, cell: 'main' }, { ownerId: 'one', ownerUrl: 'http://one' });
  await startProcess('two').get(clusterId);
  await clock.advance(TTL_MS);
  expect(owner.isClosed).toBe(true);
  await expect(one.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://two' });
});

test('an owner whose cluster moves finishes calls and releases it', async () => {
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

test('a process reopens its own cluster after a failed append', async () => {
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

test('a cluster that cannot be loaded is left to other processes', async () => {
  const one = startProcess('one');
  journal.failNext('lost-before-storing');
  await expect(one.get(clusterId)).rejects.toThrow(NotOwner);
  await startProcess('two').get(clusterId);
});

test('a process that refuses clusters keeps its own', async () => {
  const otherId = randomUUID();
  directory.add(otherId);
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  refusal = 'no memory';
  await expect(owners.get(otherId)).rejects.toThrow(/no memory/);
  expect(await owner.read((state) => state.clusterId)).toBe(clusterId);
  journal.failNext('answer-lost-after-storing');
  await expect(createTopic(owner)).rejects.toThrow('stepped down');
  await clock.advance(TTL_MS * 2);
  await owners.get(clusterId);
  refusal = undefined;
  await startProcess('two').get(otherId);
});

test('settings of the control plane are applied to the cluster', async () => {
  const owner = await startProcess('one').get(clusterId);
  expect(await owner.read((state) => state.settings.defaultPartitions)).toBe(3);
  directory.change(clusterId, { defaultPartitions: 8 });
  await clock.advance(3_000);
  expect(await owner.read((state) => state.settings.defaultPartitions)).toBe(8);
});

test('applies the retention of offsets', async () => {
  directory.change(clusterId, { offsetsRetentionMinutes: 60 });
  const minutes = (owner: Owner) => owner.read((state) => state.settings.offsetsRetentionMinutes);
  const owner = await startProcess('one').get(clusterId);
  await clock.advance(3_000);
  expect(await minutes(owner)).toBe(60);
});

test('applies the largest uncompressed batch', async () => {
  const bytes = (owner: Owner) => owner.read((state) => state.settings.maxUncompressedBatchBytes);
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  await clock.advance(3_000);
  expect(await bytes(owner)).toBe(67_108_864);
  await owners.storeMaxUncompressedBatchBytes(clusterId, 5_000);
  await clock.advance(3_000);
  expect(await bytes(owner)).toBe(5_000);
});

test('a spending cap refuses writes, with its reason, until lifted', async () => {
  const owner = await startProcess('one').get(clusterId);
  const settings = () =>
    owner.read(({ settings: { writesRefused, writesRefusedReason } }) => [writesRefused, writesRefusedReason]);
  expect(await settings()).toEqual([false, '']);
  directory.change(clusterId, { writesRefusedReason: 'The cap of $10.00 is reached.' });
  await clock.advance(3_000);
  expect(await settings()).toEqual([true, 'The cap of $10.00 is reached.']);
  directory.change(clusterId, { writesRefusedReason: null });
  await clock.advance(3_000);
  expect(await settings()).toEqual([false, '']);
});

test('follows a changed mode and meters later minutes in it', async () => {
  const owner = await startProcess('one').get(clusterId);
  directory.change(clusterId, { mode: 'low-latency' });
  await clock.advance(3_000);
  expect(await owner.read((state) => state.settings.mode)).toBe('low-latency');
});

test('a deleted cluster is refused until it is restored', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  directory.change(clusterId, { isDeleted: true });
  await clock.advance(3_000);
  await expect(owner.read((state) => state.clusterId)).rejects.toThrow(ClusterDeleted);
  await expect(owners.get(clusterId)).rejects.toThrow(ClusterDeleted);
  directory.change(clusterId, { isDeleted: false });
  await owners.get(clusterId);
});

test('a cluster that does not exist is refused', async () => {
  await expect(startProcess('one').get(randomUUID())).rejects.toThrow(ClusterDeleted);
});

test('a lease lost during an opening leaves no owner behind', async () => {
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

test('a lease that expired during an opening serves nothing', async () => {
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

// It leaves the lease to other processes.
test('a shutdown does not wait for a cluster that is opening', async () => {
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

test('a cluster opened during a directory lookup stays open', async () => {
  const otherId = randomUUID();
  directory.add(otherId);
  const owners = startProcess('one');
  await owners.get(clusterId);
  const { promise, resolve } = Promise.withResolvers<void>();
  waitInDirectory = promise;
  await clock.advance(2_000);
  waitInDirectory = undefined;
  const opened = await owners.get(otherId);
  resolve();
  await settle();
  expect(opened.isClosed).toBe(false);
});

test('a cluster deleted while it is opening is never served', async () => {
  const owners = startProcess('one');
  journal.hold();
  const refused = expect(owners.get(clusterId)).rejects.toThrow(ClusterDeleted);
  await settle();
  directory.change(clusterId, { isDeleted: true });
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

  // Its minutes count in the right hour.
  test('a cluster with a clock a day ahead recovers at once', async () => {
    const aheadMs = databaseMs() + DAY_MS;
    const topicId = randomIds.uuidBytes();
    const commands: Command[] = [
      { kind: 'raise-rules-level', level: NEWEST_RULES },
      {
        kind: 'register-agent',
        agentId: 'a',
        zone: '',
        version: '',
        advertisedHost: '',
        advertisedPort: 1,
        bucket: 'b',
        keyId: 'k',
      },
      { kind: 'create-topics', topics: [{ name: 'orders', topicId, partitions: 1, configs: [] }], validateOnly: false },
      commitOf(topicId, [0], 1, aheadMs),
      { kind: 'minute-mark', minute: Math.floor(aheadMs / 60_000), aliveAgentIds: ['a'] },
    ];
    const thrownAhead = createState(clusterId, OLDEST_RULES);
    const effects = commands.map((command) => apply(thrownAhead, command, aheadMs).effects);
    await journal.append(identity(), JOURNAL_START, encodeEntry({ nowMs: aheadMs, commands, meter: meterOf(effects) }));
    const owner = await startProcess('one').get(clusterId);
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
