import { randomUUID } from 'node:crypto';
import { decodeEntry } from '@penstock/metadata-core';
import { MemoryLeases, MemoryStops } from '@penstock/metadata-journal';
import { beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../testing/cluster-fixture.ts';
import { ControlledJournal } from '../testing/controlled-journal.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { ClusterRecord } from './cluster-directory.ts';
import { ClusterDeleted, NotOwner } from './errors.ts';
import { randomIds } from './ids.ts';
import { Owners } from './owners.ts';
import { takeSnapshot } from './take-snapshot.ts';

const TTL_MS = 5_000;

let clock: ManualClock;
let journal: ControlledJournal;
let leases: MemoryLeases;
let records: Map<string, ClusterRecord>;
let clusterId: string;

beforeEach(() => {
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
    mode: 'standard',
    writesRefusedReason: null,
    isDeleted: false,
  });
});

function startProcess(name: string): Owners {
  return new Owners({
    journal,
    leases,
    stops: new MemoryStops(() => clock.nowMs()),
    directory: { lookUp: async (ids) => ids.flatMap((id) => records.get(id) ?? []) },
    clock,
    ids: randomIds,
    logger: silentLogger,
    takeSnapshot: (cluster, throughSeq) => takeSnapshot(journal, cluster, throughSeq),
    self: { ownerId: name, ownerUrl: `http://${name}` },
    leaseTtlMs: TTL_MS,
    initialRebalanceDelayMs: 0,
  });
}

test('many first requests open a cluster once', async () => {
  const owners = startProcess('one');
  const opened = await Promise.all(Array.from({ length: 10 }, () => owners.get(clusterId)));
  expect(new Set(opened).size).toBe(1);
  const entries = await journal.entries(clusterId);
  expect(entries.filter((entry) => decodeEntry(entry.bytes).commands.length === 0)).toHaveLength(1);
});

test('another process is told where the owner is', async () => {
  await startProcess('one').get(clusterId);
  await expect(startProcess('two').get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://one' });
});

test('a lease that is renewed in time keeps others out; after a shutdown another process has the cluster at once', async () => {
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

test('an owner that cannot renew its lease stops answering reads before another process may take it', async () => {
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

test('an owner that finds its lease taken steps down, and the process then names the new owner', async () => {
  const one = startProcess('one');
  const owner = await one.get(clusterId);
  // As after a pause: the lease lapsed unnoticed and the other process took it.
  await leases.release({ clusterId, epoch: 1 }, { ownerId: 'one', ownerUrl: 'http://one' });
  await startProcess('two').get(clusterId);
  await clock.advance(TTL_MS);
  expect(owner.isClosed).toBe(true);
  await expect(one.get(clusterId)).rejects.toMatchObject({ ownerUrl: 'http://two' });
});

test('a process whose append failed opens the cluster again by itself, since it still holds the lease', async () => {
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

test('a cluster that cannot be loaded is refused and its lease given up, so that another process may try', async () => {
  const one = startProcess('one');
  journal.failNext('lost-before-storing');
  await expect(one.get(clusterId)).rejects.toThrow(NotOwner);
  await startProcess('two').get(clusterId);
});

test('settings of the control plane become the state of the cluster', async () => {
  const owner = await startProcess('one').get(clusterId);
  expect(await owner.read((state) => state.settings.defaultPartitions)).toBe(3);
  const record = records.get(clusterId);
  if (record !== undefined) record.defaultPartitions = 8;
  await clock.advance(3_000);
  expect(await owner.read((state) => state.settings.defaultPartitions)).toBe(8);
});

test('a spending cap refuses writes with its reason, and its end lets them through again', async () => {
  const owner = await startProcess('one').get(clusterId);
  const settings = () =>
    owner.read(({ settings: { writesRefused, writesRefusedReason } }) => [writesRefused, writesRefusedReason]);
  expect(await settings()).toEqual([false, '']);
  const record = records.get(clusterId);
  if (record === undefined) throw new Error('the record is there');
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
  if (record === undefined) throw new Error('the record is there');
  record.mode = 'low-latency';
  await clock.advance(3_000);
  expect(await owner.read((state) => state.settings.mode)).toBe('low-latency');
});

test('a deleted cluster is closed and refused, and there again when it is restored', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  const record = records.get(clusterId);
  if (record === undefined) throw new Error('the record is there');
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
