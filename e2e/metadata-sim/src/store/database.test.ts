// In calm weather, a connection of the simulation keeps the contracts of what it stands for.
import { describeClock, describeClusterDirectory } from '@penstock/metadata/contract';
import { describeJournal, describeLeases } from '@penstock/metadata-journal/contract';
import { afterAll, beforeAll } from 'vitest';
import { Machine } from '../kernel/machine.ts';
import { Random } from '../kernel/random.ts';
import { Scheduler } from '../kernel/scheduler.ts';
import { Weather } from '../kernel/weather.ts';
import { Database } from './database.ts';

const EXPIRY_MS = 24 * 60 * 60 * 1_000;

const scheduler = new Scheduler();
const weather = new Weather(new Random(1));
weather.calm();
const machine = new Machine('machine', scheduler, { rate: 1.0005, offsetMs: 3.25 });
const database = new Database({ scheduler, weather, onAppended: () => undefined });
const connection = database.connect(machine);
const { journal, leases, directory } = database;

/** Virtual time passes while these tests wait. */
let isOver = false;
let passing = Promise.resolve();
beforeAll(() => {
  passing = (async () => {
    while (!isOver) {
      await scheduler.run(Number.POSITIVE_INFINITY);
    }
  })();
});
afterAll(async () => {
  isOver = true;
  await passing;
});

describeJournal('simulated', {
  journal: () => connection,
  markFolded: async (clusterId, throughSeq) => journal.markFolded(clusterId, throughSeq),
  age: async (clusterId, throughSeq, byMs) => journal.age(clusterId, throughSeq, byMs),
  loseTail: async (clusterId, afterSeq) => journal.loseTail(clusterId, afterSeq, { keepSnapshots: true }),
  loseEntry: async (clusterId, seq) => journal.loseEntry(clusterId, seq),
  changeEntry: async (clusterId, seq, bytes) => journal.changeEntry(clusterId, seq, bytes),
});

describeLeases('simulated', {
  leases: () => connection,
  expire: async () => scheduler.leap(EXPIRY_MS),
  askToLeave: async (clusterId) => leases.askToLeave(clusterId),
  nowMs: async () => scheduler.nowMs,
});

describeClusterDirectory('simulated', {
  directory: () => connection,
  createCluster: async () => {
    const clusterId = crypto.randomUUID();
    directory.add(clusterId);
    return clusterId;
  },
  deleteCluster: async (clusterId) => directory.change(clusterId, { isDeleted: true }),
});

describeClock('simulated', { clock: () => machine, pass: (until) => until });
