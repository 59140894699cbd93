// A build whose state machine goes wrong in one cluster, under load: that cluster stops, the other one goes on, and a mended build loses nothing.
import { randomUUID } from 'node:crypto';
import { type ClusterState, type CommandOf, type Id, stateChecks } from '@penstock/metadata-core';
import { MemoryDeadFiles, MemoryLeases, MemoryStops } from '@penstock/metadata-journal';
import { beforeEach, expect, test } from 'vitest';
import { commitOf, silentLogger } from '../testing/cluster-fixture.ts';
import { ControlledJournal } from '../testing/controlled-journal.ts';
import { MemoryDirectory } from '../testing/memory-directory.ts';
import { systemClock } from './clock.ts';
import { ClusterStopped } from './errors.ts';
import { randomIds } from './ids.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { Owners } from './owners.ts';

const TTL_MS = 60_000;
const RETRY_MS = 5;

let journal: ControlledJournal;
let leases: MemoryLeases;
let stops: MemoryStops;
let directory: MemoryDirectory;
let broken: string;
let sound: string;

beforeEach(() => {
  journal = new ControlledJournal();
  leases = new MemoryLeases(() => systemClock.nowMs());
  stops = new MemoryStops(() => systemClock.nowMs());
  directory = new MemoryDirectory();
  [broken, sound] = [randomUUID(), randomUUID()];
  directory.add(broken);
  directory.add(sound);
});

/** The fault of a build: a partition counts a byte that no run has. */
function goWrong(state: ClusterState): void {
  const partition = state.topicsByName.get('orders')?.partitions[0];
  if (state.clusterId === broken && partition !== undefined && partition.highWatermark > 0) {
    partition.storedBytes += 1;
  }
}

/** @param isFaulty its state machine comes to the same wrong state each time that it applies the commands of a cluster */
function startProcess(name: string, isFaulty: () => boolean): Owners {
  let isWrong = false;
  return new Owners({
    journal,
    keeper: new LeaseKeeper({
      leases,
      owner: { ownerId: name, ownerUrl: `http://${name}` },
      ttlMs: TTL_MS,
      clock: systemClock,
      onRenewalFailed: () => undefined,
    }),
    stops,
    directory,
    clock: systemClock,
    ids: randomIds,
    logger: silentLogger,
    journalKeptMs: 0,
    deadFiles: new MemoryDeadFiles(),
    restoreWindowMs: 0,
    initialRebalanceDelayMs: 0,
    jobPlanSecrets: [{ id: 1, secret: 'a root secret of tests, of more than 32 characters' }],
    afterCommand: (state) => {
      if (isFaulty() && !isWrong && state.clusterId === broken) {
        isWrong = true;
        goWrong(state);
      }
    },
    checks: (state) => {
      if (isFaulty()) {
        goWrong(state);
      }
      return stateChecks(state);
    },
  });
}

/** Commits files one after the other, and repeats each until it is acknowledged. */
class Writer {
  readonly latenciesMs: number[] = [];
  readonly offsets: number[] = [];
  readonly refusals = new Set<string>();
  isEnding = false;
  readonly #owners: () => Owners;
  readonly #clusterId: string;

  constructor(owners: () => Owners, clusterId: string) {
    this.#owners = owners;
    this.#clusterId = clusterId;
  }

  async write(topicId: Id): Promise<void> {
    while (!this.isEnding) {
      const command = commitOf(topicId, [0], 1, systemClock.nowMs());
      const startedMs = systemClock.monotonicMs();
      this.offsets.push(await this.#acknowledged(command));
      this.latenciesMs.push(systemClock.monotonicMs() - startedMs);
      await pause(1);
    }
  }

  async #acknowledged(command: CommandOf<'commit-file'>): Promise<number> {
    for (;;) {
      try {
        const owner = await this.#owners().get(this.#clusterId);
        const { errorMessage, batchBaseOffset } = await owner.submit(command);
        expect(errorMessage).toBe('');
        return batchBaseOffset[0] ?? -1;
      } catch (error) {
        this.refusals.add((error as Error).name);
        await pause(RETRY_MS);
      }
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function createTopic(owners: Owners, clusterId: string): Promise<Id> {
  const owner = await owners.get(clusterId);
  const topicId = randomIds.uuidBytes();
  const topics = [{ name: 'orders', topicId, partitions: 1, configs: [] }];
  await owner.submit({ kind: 'create-topics', topics, validateOnly: false });
  return topicId;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await pause(RETRY_MS);
  }
}

function p99(latenciesMs: readonly number[]): string {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return `${(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN).toFixed(1)} ms of ${sorted.length}`;
}

test('a broken invariant stops its cluster and no other', { timeout: 120_000 }, async () => {
  let isFaulty = false;
  let current = startProcess('faulty', () => isFaulty);
  const faulty = current;
  const [brokenTopic, soundTopic] = [await createTopic(current, broken), await createTopic(current, sound)];
  const victim = new Writer(() => current, broken);
  const other = new Writer(() => current, sound);
  const writing = [victim.write(brokenTopic), other.write(soundTopic)];
  await until(() => victim.offsets.length >= 100 && other.offsets.length >= 100);
  const before = other.latenciesMs.splice(0);

  isFaulty = true;
  const applied = victim.offsets.length;
  await until(() => victim.offsets.length > applied);
  const owner = await current.get(broken);
  await expect(owner.takeSnapshot()).rejects.toThrow('stored bytes are those of the runs');
  await until(async () => (await stops.past(broken)).stop !== undefined);
  const acknowledged = victim.offsets.length;
  const reached = other.offsets.length;
  await until(() => other.offsets.length >= reached + 100);
  const during = other.latenciesMs.splice(0);

  // The cluster serves nothing, and says where its state is broken.
  expect(victim.offsets.length).toBe(acknowledged);
  const refusal = await current.get(broken).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ClusterStopped);
  const { stop } = await stops.past(broken);
  expect(stop?.fault).toMatchObject({ command: 'commit-file', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const last = (await journal.entries(broken)).at(-1);
  expect(stop?.fault?.position.seq).toBe(last?.seq);
  expect((refusal as ClusterStopped).message).toContain(`broken at entry ${last?.seq} (`);
  expect((refusal as ClusterStopped).message).toContain('stored bytes are those of the runs');
  expect((refusal as ClusterStopped).message).toContain(`metadata resume --cluster ${broken} --mended`);
  expect((refusal as ClusterStopped).messageForAgents).not.toContain('stored bytes');
  expect((await stops.past(sound)).stop).toBeUndefined();

  // A mended build, and the operator's resume.
  current = startProcess('mended', () => false);
  await faulty.shutDown();
  if (stop !== undefined) {
    await stops.resolve(stop, { kind: 'mended', by: 'Operator' });
  }
  await until(() => victim.offsets.length >= acknowledged + 50);
  victim.isEnding = true;
  other.isEnding = true;
  await Promise.all(writing);
  for (const { offsets } of [victim, other]) {
    expect(offsets).toEqual(offsets.map((_, at) => at));
  }
  const end = await (await current.get(broken)).read((state) => state.topicsByName.get('orders')?.partitions[0]);
  expect(end?.highWatermark).toBe(victim.offsets.length);
  await current.shutDown();
  console.info(`p99 of the other cluster: before ${p99(before)}, while one stops ${p99(during)}`);
});

test('a stop survives the process that found it', async () => {
  const first = startProcess('first', () => true);
  const topicId = await createTopic(first, broken);
  await (await first.get(broken)).submit(commitOf(topicId, [0], 1, systemClock.nowMs()));
  await first.shutDown();
  const second = startProcess('second', () => true);
  await expect(second.get(broken)).rejects.toThrow(ClusterStopped);
  await second.shutDown();
  const third = startProcess('third', () => false);
  await expect(third.get(broken)).rejects.toThrow('is stopped');
  await third.shutDown();
});
