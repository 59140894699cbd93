import { randomUUID } from 'node:crypto';
import { formatWitnessed, MemoryDeadFiles, MemoryLeases, MemoryStops } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { beforeEach, expect, test } from 'vitest';
import { commitOf, silentLogger } from '../testing/cluster-fixture.ts';
import { ControlledJournal } from '../testing/controlled-journal.ts';
import { ManualClock, settle } from '../testing/manual-clock.ts';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import { ClusterStopped, NotOwner, OwnerSteppedDown } from './errors.ts';
import { randomIds } from './ids.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Owner } from './owner.ts';
import { Owners } from './owners.ts';

const TTL_MS = 5_000;

let clock: ManualClock;
let journal: ControlledJournal;
let leases: MemoryLeases;
let stops: MemoryStops;
let clusterId: string;
let directory: MemoryDirectory;

beforeEach(() => {
  clock = new ManualClock();
  journal = new ControlledJournal();
  leases = new MemoryLeases(() => clock.monotonicMs());
  stops = new MemoryStops(() => clock.nowMs());
  clusterId = randomUUID();
  directory = new MemoryDirectory();
  directory.add(clusterId);
});

function startProcess(name: string): Owners {
  return new Owners({
    journal,
    keeper: new LeaseKeeper({
      leases,
      owner: { ownerId: name, ownerUrl: `http://${name}` },
      ttlMs: TTL_MS,
      clock,
      onRenewalFailed: () => undefined,
    }),
    stops,
    directory,
    clock,
    ids: randomIds,
    logger: silentLogger,
    journalKeptMs: 0,
    deadFiles: new MemoryDeadFiles(),
    restoreWindowMs: 0,
    initialRebalanceDelayMs: 0,
    jobPlanSecrets: [{ id: 1, secret: 'a root secret of tests, of more than 32 characters' }],
  });
}

/** Creates a topic and commits files to it. */
async function write(owner: Owner, files: number): Promise<void> {
  const topicId = randomIds.uuidBytes();
  const topics = [{ name: `topic-${owner.journalSeq}`, topicId, partitions: 1, configs: [] }];
  await owner.submit({ kind: 'create-topics', topics, validateOnly: false });
  for (let file = 0; file < files; file += 1) {
    await owner.submit(commitOf(topicId, [0], 1, clock.nowMs()));
  }
}

/** Simulates a failover to a replica that lagged by this many entries. */
function loseEntries(owner: Owner, count: number): void {
  journal.memory.loseTail(clusterId, owner.journalSeq - count);
}

/** Lets the lease of process one expire while it is paused. */
async function lapse(): Promise<void> {
  await leases.release({ clusterId, epoch: 1, cell: MAIN_CELL }, { ownerId: 'one', ownerUrl: 'http://one' });
}

async function acceptLoss(): Promise<void> {
  const { stop } = await stops.past(clusterId);
  if (stop === undefined) {
    throw new Error('the cluster is not stopped');
  }
  const nowMs = clock.nowMs();
  const spared = { fromMs: nowMs - 60_000, toMs: nowMs, untilMs: nowMs + 3_600_000 };
  await stops.resolve(stop, { kind: 'accepted', by: 'Operator', spared });
  // Longer than a process caches a stop.
  await clock.advance(3_000);
}

test('an owner does not reopen its cluster on a shorter history', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  await write(owner, 3);
  const kept = owner.journalSeq - 2;
  loseEntries(owner, 2);
  // Any reason to reopen the cluster: here a lost connection.
  journal.failNext('lost-before-storing');
  await expect(write(owner, 1)).rejects.toThrow(OwnerSteppedDown);
  await expect(owners.get(clusterId)).rejects.toThrow(/is stopped.*metadata resume/);
  expect((await journal.entries(clusterId)).at(-1)?.seq).toBe(kept);
});

test('an append on a lost history stops the cluster everywhere', async () => {
  const owner = await startProcess('one').get(clusterId);
  await write(owner, 3);
  loseEntries(owner, 1);
  await expect(write(owner, 1)).rejects.toThrow(OwnerSteppedDown);
  await settle();
  await clock.advance(TTL_MS * 2);
  await expect(startProcess('two').get(clusterId)).rejects.toThrow(ClusterStopped);
});

test('closes a cluster that another process stopped in seconds', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  const witnessed = { history: 0, seq: 99, hash: Buffer.alloc(32, 1) };
  await stops.stop(clusterId, { witness: 'a paused owner', witnessed, last: owner.journalPosition });
  await clock.advance(3_000);
  await expect(owner.read((state) => state.clusterId)).rejects.toThrow(ClusterStopped);
  await expect(owners.get(clusterId)).rejects.toThrow(ClusterStopped);
});

// Before it is served.
test('an agent that knows of lost entries stops the cluster first', async () => {
  const former = await startProcess('one').get(clusterId);
  await write(former, 3);
  const witnessed = former.witnessedPosition;
  loseEntries(former, 2);
  await lapse();
  const owners = startProcess('two');
  // No process knows of the loss yet.
  const present = await owners.get(clusterId);
  await expect(present.checkWitness(witnessed, 'agent')).rejects.toThrow(ClusterStopped);
  await expect(present.read((state) => state.clusterId)).rejects.toThrow(ClusterStopped);
  await expect(owners.get(clusterId)).rejects.toThrow(ClusterStopped);
});

test('an agent that knows a different entry stops the cluster', async () => {
  const former = await startProcess('one').get(clusterId);
  await write(former, 3);
  const witnessed = former.witnessedPosition;
  loseEntries(former, 2);
  await lapse();
  const present = await startProcess('two').get(clusterId);
  await write(present, 5);
  await expect(present.checkWitness(witnessed, 'agent')).rejects.toThrow(ClusterStopped);
});

test('known positions stop nothing and cost at most one query', async () => {
  const one = startProcess('one');
  const former = await one.get(clusterId);
  await write(former, 2);
  const early = former.witnessedPosition;
  expect(former.checkWitness(early, 'agent')).toBeUndefined();
  expect(former.checkWitness(null, 'agent from before')).toBeUndefined();
  expect(former.checkWitness('nonsense', 'agent')).toBeUndefined();
  await one.shutDown();
  const owner = await startProcess('two').get(clusterId);
  await owner.checkWitness(early, 'agent');
  expect(owner.checkWitness(early, 'another agent')).toBeUndefined();
});

test('an owner that is merely behind steps down, stopping nothing', async () => {
  const stale = await startProcess('one').get(clusterId);
  await write(stale, 1);
  await lapse();
  const newer = await startProcess('two').get(clusterId);
  await write(newer, 2);
  await expect(stale.checkWitness(newer.witnessedPosition, 'agent')).rejects.toThrow(OwnerSteppedDown);
  expect((await stops.past(clusterId)).stop).toBeUndefined();
});

test('a process without a valid lease concludes nothing', async () => {
  const stale = await startProcess('one').get(clusterId);
  await write(stale, 2);
  const witnessed = formatWitnessed({ history: 0, seq: stale.journalSeq + 5, hash: Buffer.alloc(32, 7) });
  leases.renew = async () => {
    throw new Error('the database cannot be reached');
  };
  await clock.advance(TTL_MS);
  await expect(stale.checkWitness(witnessed, 'agent')).rejects.toThrow(NotOwner);
  expect((await stops.past(clusterId)).stop).toBeUndefined();
});

test('a cluster whose loss was accepted is not stopped again', async () => {
  const owners = startProcess('one');
  const former = await owners.get(clusterId);
  await write(former, 3);
  const witnessed = former.witnessedPosition;
  loseEntries(former, 2);
  await expect(write(former, 1)).rejects.toThrow(OwnerSteppedDown);
  await settle();
  await expect(owners.get(clusterId)).rejects.toThrow(ClusterStopped);
  await acceptLoss();
  const owner = await owners.get(clusterId);
  await owner.checkWitness(witnessed, 'agent');
  await write(owner, 1);
  expect(owner.witnessedPosition.startsWith('1.')).toBe(true);
});

test('a cluster continues with its restored entries', async () => {
  const owners = startProcess('one');
  const owner = await owners.get(clusterId);
  await write(owner, 3);
  const lastSeq = owner.journalSeq;
  const restore = journal.memory.keepTail(clusterId);
  loseEntries(owner, 2);
  await expect(write(owner, 1)).rejects.toThrow(OwnerSteppedDown);
  await settle();
  await expect(owners.get(clusterId)).rejects.toThrow(ClusterStopped);
  restore();
  const { stop } = await stops.past(clusterId);
  if (stop !== undefined) {
    await stops.resolve(stop, { kind: 'restored', by: 'Operator' });
  }
  await clock.advance(3_000);
  expect((await owners.get(clusterId)).journalSeq).toBe(lastSeq + 1);
});

test('a snapshot of lost entries stops the cluster at its opening', async () => {
  const owner = await startProcess('one').get(clusterId);
  await write(owner, 2);
  await owner.takeSnapshot();
  journal.memory.loseTail(clusterId, owner.journalSeq - 1, { keepSnapshots: true });
  await lapse();
  const owners = startProcess('two');
  await expect(owners.get(clusterId)).rejects.toThrow(ClusterStopped);
});

test('files from the time of a loss are spared as documented', async () => {
  const owners = startProcess('one');
  const former = await owners.get(clusterId);
  await write(former, 2);
  const inTheWindow = commitOf(randomIds.uuidBytes(), [0], 1, clock.nowMs()).fileId;
  const before = commitOf(randomIds.uuidBytes(), [0], 1, clock.nowMs() - 120_000).fileId;
  loseEntries(former, 1);
  await expect(write(former, 1)).rejects.toThrow(OwnerSteppedDown);
  await settle();
  await acceptLoss();
  const owner = await owners.get(clusterId);
  expect(await owner.knownFiles([inTheWindow, before])).toEqual([true, false]);
  await clock.advance(3_600_000);
  expect(await owner.knownFiles([inTheWindow, before])).toEqual([false, false]);
});
