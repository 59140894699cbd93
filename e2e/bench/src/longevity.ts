// `npm run bench -- longevity`: the owner's memory, snapshots, recovery and event loop after 30 simulated days of one large cluster.
import { createHash } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { captureSnapshot } from '@penstock/metadata-core';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@penstock/units';
import { memoryAfterGc } from './longevity/memory.ts';
import { OwnedCluster } from './longevity/owned-cluster.ts';
import { measureRowMemory } from './longevity/row-memory.ts';
import {
  AGENTS,
  COMPRESSION,
  DRIVEN_MINUTES,
  FILES_PER_S,
  longestJournalBehind,
  PARTITIONS,
  PRODUCERS,
  RETENTION_MS,
  WINDOW_MS,
} from './longevity/scenario.ts';
import { SimulatedClock } from './longevity/simulated-clock.ts';
import { Simulation } from './longevity/simulation.ts';
import { Stalls } from './longevity/stalls.ts';
import { describeMachine } from './machine.ts';
import { reportResult, rounded } from './results.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** The figures printed for one moment. */
interface Moment {
  day: number;
  files: number;
  runs: number;
  producerRows: number;
  rssMib: number;
  /** Part of the resident memory: the journal and the snapshots, which a database would hold. */
  journalMib: number;
  /** Part of the resident memory, as the state itself counts it: files, runs and producers. */
  stateMib: number;
  snapshotMib: number;
  recoveryS: number;
  replayedMib: number;
  journalGibPerDay: number;
  worstStallMs: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Rows of the state, and their size as the state itself counts it. */
function countRows({ state }: OwnedCluster): { files: number; runs: number; producerRows: number; bytes: number } {
  let [runs, producerRows, bytes] = [0, 0, state.files.memoryBytes];
  for (const topic of state.topics.values()) {
    for (const partition of topic.partitions) {
      runs += partition.runs?.length ?? 0;
      producerRows += partition.producers?.size ?? 0;
      bytes += (partition.runs?.memoryBytes ?? 0) + (partition.producers?.memoryBytes ?? 0);
    }
  }
  return { files: state.files.size, runs, producerRows, bytes };
}

/** One hash of the whole state. */
function digest({ state }: OwnedCluster): string {
  const hash = createHash('sha256');
  const capture = captureSnapshot(state);
  for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
    hash.update(part);
  }
  return hash.digest('hex');
}

async function measureMoment(
  day: number,
  cluster: OwnedCluster,
  simulation: Simulation,
  stalls: Stalls,
): Promise<Moment> {
  const rate = await stalls.during('minutes, merged by jobs', () => simulation.drivenMinutes());
  const rows = countRows(cluster);
  const { rssBytes } = await memoryAfterGc();
  const journalBytes = cluster.journal.storedBytes;
  const snapshotBytes = await stalls.during('snapshot', () => cluster.snapshotNow());
  cluster.journal.refusesSnapshots = true;
  await stalls.during('flushes alone', () => simulation.journalFor(longestJournalBehind(snapshotBytes)));
  const before = digest(cluster);
  await cluster.close();
  cluster.journal.refusesSnapshots = false;
  await memoryAfterGc();
  const recovered = await stalls.during('recovery', () => cluster.open());
  if (digest(cluster) !== before) {
    throw new Error('the recovered state is not the one that was lost');
  }
  await cluster.joinAgents();
  await stalls.during('merging after a take-over', () => simulation.mergeAfterTakeOver());
  return {
    day,
    files: rows.files,
    runs: rows.runs,
    producerRows: rows.producerRows,
    rssMib: rssBytes / MIB,
    journalMib: journalBytes / MIB,
    stateMib: rows.bytes / MIB,
    snapshotMib: snapshotBytes / MIB,
    recoveryS: recovered.recoveryMs / 1_000,
    replayedMib: recovered.replayedBytes / MIB,
    journalGibPerDay: (rate.bytesPerMinute * (DAY_MS / MINUTE_MS)) / GIB,
    worstStallMs: stalls.worstMs,
  };
}

const COLUMNS: [string, (moment: Moment) => string][] = [
  ['day', ({ day }) => String(day)],
  ['files', ({ files }) => String(files)],
  ['runs', ({ runs }) => String(runs)],
  ['files/day', ({ day, files }) => (files / Math.min(day, RETENTION_MS / DAY_MS)).toFixed(0)],
  ['runs/day', ({ day, runs }) => (runs / Math.min(day, RETENTION_MS / DAY_MS)).toFixed(0)],
  ['producers', ({ producerRows }) => String(producerRows)],
  ['rss MiB', ({ rssMib }) => rssMib.toFixed(0)],
  ['of it journal', ({ journalMib }) => journalMib.toFixed(0)],
  ['snapshot MiB', ({ snapshotMib }) => snapshotMib.toFixed(1)],
  ['recovery s', ({ recoveryS }) => recoveryS.toFixed(2)],
  ['journal GiB/day', ({ journalGibPerDay }) => journalGibPerDay.toFixed(1)],
  ['stall ms so far', ({ worstStallMs }) => worstStallMs.toFixed(0)],
];

function row(cells: string[]): string {
  return cells.map((cell) => cell.padStart(16)).join('');
}

const { values } = parseArgs({ options: { days: { type: 'string', default: '1,7,30' } } });
const days = values.days.split(',').map(Number);
const loadBefore = loadavg()[0] ?? 0;

say(
  `A cluster of 1 GiB/s (4:1), ${AGENTS} agents, ${PARTITIONS} partitions, ${PRODUCERS} idempotent producers, 3 groups, retention 7 days.`,
);
say(
  'The real Owner and recover, on a simulated clock and on a journal in memory: a database would take the time of the commits, and its',
);
say("memory is not the owner's. What is in memory for the journal counts as resident here.");
const total = `${((days.at(-1) ?? 0) * DAY_MS) / MINUTE_MS} minutes`;
say(
  `Flush by flush (${FILES_PER_S} files/s): the last ${DRIVEN_MINUTES} minutes before each printed moment, of ${total}, merged by the jobs that`,
);
say(
  "the owner plans, through TakeJob and CompleteJob's own path; what the files hold is not made. All else is committed as the files of",
);
say(`level 2 that those jobs leave: of each ${(WINDOW_MS / MINUTE_MS).toFixed(1)} minutes one run per partition.\n`);

say('Memory of a million files and a million runs, in a process of its own ...');
const rowMemory = await measureRowMemory();
say(`  ${rowMemory.bytesPerFile.toFixed(1)} bytes per file, ${rowMemory.bytesPerRun.toFixed(1)} per run\n`);

const startedMs = performance.now();
const cluster = new OwnedCluster(new SimulatedClock(START_MS));
const simulation = new Simulation(cluster);
const stalls = new Stalls();
const moments: Moment[] = [];
await cluster.create();
say(row(COLUMNS.map(([head]) => head)));
for (const day of days) {
  await stalls.during('windows', async () => {
    while (simulation.nowMs < START_MS + day * DAY_MS - DRIVEN_MINUTES * MINUTE_MS) {
      await simulation.window();
    }
  });
  const moment = await measureMoment(day, cluster, simulation, stalls);
  moments.push(moment);
  say(row(COLUMNS.map(([, cell]) => cell(moment))));
}
await cluster.close();
const took = (performance.now() - startedMs) / SECOND_MS;

say('\nLongest stall of the event loop, ms:');
for (const [what, longestMs] of stalls.longestMs) {
  say(`  ${what.padEnd(22)}${longestMs.toFixed(1).padStart(8)}`);
}
say(
  `  of these planning one job at most ${simulation.agents.longestPlanMs.toFixed(1)}, applying one swap at most ${simulation.agents.longestSwapMs.toFixed(1)}`,
);
say(`  of these in garbage collection at most ${stalls.longestGcMs.toFixed(1)}`);
say(`Load of the machine: ${loadBefore.toFixed(2)} before. A busy machine lengthens recovery and stalls.\n`);

const { 1: first, 2: second } = simulation.agents.totals;
const flushed = simulation.flushedBytes;
/** When all of it is merged: each level writes what it reads, and its files' indexes. */
const bytesWrittenPerByte = 1 + first.writtenBytes / first.readBytes + second.writtenBytes / second.readBytes;
say('What the jobs did in the driven minutes:');
for (const [level, { jobs, readBytes, gets, replacedRuns, newRuns }] of [
  ['1', first] as const,
  ['2', second] as const,
]) {
  const gibBeforeCompression = (readBytes * COMPRESSION) / GIB;
  say(
    `  level ${level}: ${jobs} jobs of ${(readBytes / jobs / MIB).toFixed(0)} MiB, ${(gets / jobs).toFixed(0)} GETs each (${(gets / gibBeforeCompression).toFixed(0)} per GiB ` +
      `before compression), ${(replacedRuns / newRuns).toFixed(1)} runs into one of ${(readBytes / newRuns / MIB).toFixed(2)} MiB`,
  );
}
say(
  `  bytes written per byte stored: ${((flushed + first.writtenBytes + second.writtenBytes) / flushed).toFixed(3)} so far, ${bytesWrittenPerByte.toFixed(3)} once all is merged (aim 3.1)\n`,
);

const perDay = Object.fromEntries(
  moments.flatMap((moment) => [
    [`rss_mib_day_${moment.day}`, rounded(moment.rssMib)],
    [`rss_mib_journal_day_${moment.day}`, rounded(moment.journalMib)],
    [`state_mib_day_${moment.day}`, rounded(moment.stateMib)],
    [`files_day_${moment.day}`, moment.files],
    [`files_per_day_at_day_${moment.day}`, rounded(moment.files / Math.min(moment.day, RETENTION_MS / DAY_MS))],
    [`runs_per_day_at_day_${moment.day}`, rounded(moment.runs / Math.min(moment.day, RETENTION_MS / DAY_MS))],
    [`runs_day_${moment.day}`, moment.runs],
    [`producer_rows_day_${moment.day}`, moment.producerRows],
    [`snapshot_mib_day_${moment.day}`, rounded(moment.snapshotMib, 1)],
    [`recovery_s_day_${moment.day}`, rounded(moment.recoveryS, 2)],
    [`replayed_mib_day_${moment.day}`, rounded(moment.replayedMib)],
    [`journal_gib_per_day_at_day_${moment.day}`, rounded(moment.journalGibPerDay, 1)],
    [`worst_stall_ms_until_day_${moment.day}`, rounded(moment.worstStallMs, 1)],
  ]),
);
await reportResult('longevity', {
  bytes_per_file: rounded(rowMemory.bytesPerFile, 1),
  bytes_per_run: rounded(rowMemory.bytesPerRun, 1),
  ...perDay,
  worst_stall_ms: rounded(stalls.worstMs, 1),
  stall_ms_by_work: Object.fromEntries([...stalls.longestMs].map(([what, ms]) => [what, rounded(ms, 1)])),
  longest_gc_ms: rounded(stalls.longestGcMs, 1),
  commits_driven: simulation.commits,
  driven_minutes_per_moment: DRIVEN_MINUTES,
  bytes_written_per_byte_stored: rounded(bytesWrittenPerByte, 3),
  merge_jobs: { level_1: first.jobs, level_2: second.jobs },
  merge_gets_per_gib: {
    level_1: rounded((first.gets * GIB) / (first.readBytes * COMPRESSION)),
    level_2: rounded((second.gets * GIB) / (second.readBytes * COMPRESSION)),
  },
  longest_plan_ms: rounded(simulation.agents.longestPlanMs, 1),
  longest_swap_ms: rounded(simulation.agents.longestSwapMs, 1),
  journal: 'memory',
  run_s: rounded(took),
  load_average_before: rounded(loadBefore, 2),
  load_average_after: rounded(loadavg()[0] ?? 0, 2),
  machine: await describeMachine(),
});
