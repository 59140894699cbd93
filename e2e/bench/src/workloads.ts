// `npm run bench -- workloads`: the workloads of published comparisons, at a stated fraction of their rate, on an agent and on one Apache Kafka
// broker in the same run. `-- standard` or `-- express` puts an agent's files on object storage with those latencies, over TLS; without it
// they are on a local disk. `-- low-latency` has the cluster in that mode, with three landing buckets of S3 Express One Zone and a bucket of
// S3 Standard. Agents have spent their savings of PUTs, except those for landing buckets; some workloads are run again on an agent that has
// some. `--jobs` runs the first workload twice for three minutes while a second agent merges what it writes; the second time is measured.
// PENSTOCK_BENCH_CLIENTS=java runs the first workload with Apache Kafka's own clients. PENSTOCK_BENCH_SCALE=0.1 makes a quick run that is not
// kept, and neither is one with `--only standard,round_robin`.
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAgent } from '../../../infra/local/build.ts';
import {
  chosenClients,
  createTopic,
  IN_FLIGHT,
  type LoadResult,
  type Server,
  type StreamLoad,
  stream,
} from './agent-load.ts';
import type { JobCost } from './backlog/merging.ts';
import { describeMachine } from './machine.ts';
import { cpuSeconds, cpuSecondsOfTree } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';
import { withListeners } from './secured/listeners.ts';
import { type SystemChoice, withKafka, withPenstock } from './servers.ts';
import { JobsAgent, type JobsResult, jobsMetadataEnv, secondsWithJobs } from './workloads/jobs.ts';
import { describeStorage, withStorage, workloadProfiles } from './workloads/storage.ts';

/**
 * Written before the first workload at full speed, to both systems: until its cache is full (256 MiB), an agent pays for each page of memory
 * that it takes for the first time; a broker's sockets need some work, too.
 */
const SERVER_WARM_UP_MIB = 1_024;
/** A broker then serves the first workload for so long unmeasured: its compiler took more than half of what that cost in its first 20 s. */
const BROKER_WARM_UP_SECONDS = 60;
/** The published runs write 1 GiB/s. */
const MIB_PER_S = 20;
const PUBLISHED_MIB_PER_S = 1_024;
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, jobs: { type: 'boolean', default: false } },
});
const clients = chosenClients();
const profile = workloadProfiles.find((name) => positionals[0] === name);
if (positionals.length > (profile === undefined ? 0 : 1)) {
  throw new Error(`Storage is one of ${workloadProfiles.join(', ')}, not "${positionals.join(' ')}"`);
}
if (clients === 'java' && options.jobs) {
  throw new Error('--jobs needs the native clients, which count the bytes that have to be merged');
}
const isLowLatency = profile === 'low-latency';
const SECONDS = options.jobs ? secondsWithJobs(scale) : 20 * scale;
const isWhole = scale === 1 && options.only === undefined;

interface Workload {
  /** As figures are named. */
  key: string;
  title: string;
  partitions: number;
  load: Partial<StreamLoad>;
  /** Also over TLS, on the agent. */
  isAlsoTls?: boolean;
  /** Also on an agent that has saved PUTs. */
  isAlsoSaved?: boolean;
}

/**
 * An agent that has spent its savings, as every agent has after hours of steady load, and saves nothing between two workloads. An agent
 * that has just started may spend the savings of an hour, and would show what does not last.
 */
const SPENT = { PENSTOCK_SAVED_PUT_HOURS: '0' };

const PARTITIONS = 288;

const standard: StreamLoad = {
  producers: 64,
  consumers: 64,
  fanOut: 1,
  partitioner: 'sticky',
  inFlight: IN_FLIGHT,
  warmUpMib: MIB_PER_S * 2,
  mib: MIB_PER_S * SECONDS,
  mibPerS: MIB_PER_S,
};

/** Streams take single records; each waits for the one before. */
const streams = (count: number): Workload => ({
  key: `streams_${count}`,
  title: `Appends to ${count} streams, one at a time on each`,
  partitions: count,
  load: {
    producers: count,
    consumers: Math.min(count, 64),
    partitioner: 'own',
    inFlight: 1,
    warmUpMib: 0,
    mib: Math.max(1, Math.round(Math.min(count, 100) * 0.02 * SECONDS)),
    mibPerS: Math.min(count * 0.02, MIB_PER_S),
  },
  isAlsoSaved: true,
});

const allWorkloads: readonly Workload[] = [
  {
    key: 'standard',
    title: '64 producers and consumers, 288 partitions',
    partitions: PARTITIONS,
    load: {},
    isAlsoSaved: true,
  },
  { key: 'producers_256', title: '256 producers', partitions: PARTITIONS, load: { producers: 256 } },
  { key: 'partitions_1152', title: '1,152 partitions', partitions: 1_152, load: {} },
  { key: 'partitions_4608', title: '4,608 partitions', partitions: 4_608, load: {} },
  { key: 'fan_out_3', title: 'Every record read three times', partitions: PARTITIONS, load: { fanOut: 3 } },
  { key: 'round_robin', title: 'Round robin', partitions: PARTITIONS, load: { partitioner: 'round-robin' } },
  { key: 'full_speed', title: 'Full speed, sticky', partitions: PARTITIONS, load: { mibPerS: 0, mib: 512 * scale } },
  {
    key: 'full_speed_round_robin',
    title: 'Full speed, round robin',
    partitions: PARTITIONS,
    load: { partitioner: 'round-robin', mibPerS: 0, mib: 256 * scale },
  },
  streams(1),
  streams(100),
  streams(2_000),
  {
    key: 'producers_4',
    title: '4 producers',
    partitions: PARTITIONS,
    load: { producers: 4, consumers: 4 },
    isAlsoTls: true,
    isAlsoSaved: true,
  },
  {
    key: 'producers_50',
    title: '50 producers',
    partitions: PARTITIONS,
    load: { producers: 50, consumers: 50 },
    isAlsoTls: true,
  },
];

const chosen = options.only?.split(',') ?? (options.jobs || clients === 'java' ? ['standard'] : undefined);
const workloads = allWorkloads.filter(({ key }) => chosen === undefined || chosen.includes(key));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** CPU time so far of what serves the clients besides the server itself, in seconds. */
type Others = () => Promise<number>;

type Figures = Record<string, number>;

async function measureOne(
  server: Server,
  prefix: string,
  workload: Workload,
  others: Others,
  jobsAgent?: JobsAgent,
): Promise<Figures> {
  const topic = `${prefix}${workload.key}`.replaceAll('_', '-');
  await createTopic(server, topic, workload.partitions);
  const load: StreamLoad = { ...standard, ...workload.load };
  let othersPerGib = 0;
  const run = async (): Promise<LoadResult> => {
    const before = await others();
    const result = await stream(server, topic, load);
    othersPerGib = ((await others()) - before) / (result.records / 1024 ** 2);
    show(`${server.name}: ${workload.title}`, result, othersPerGib);
    return result;
  };
  const { result, jobs } =
    jobsAgent === undefined
      ? { result: await run(), jobs: undefined }
      : await jobsAgent.measure(run, load.warmUpMib / load.mib);
  const optional = (name: string, value: number | undefined, decimals = 1): Figures =>
    value === undefined ? {} : { [`${prefix}${workload.key}_${name}`]: rounded(value, decimals) };
  if (jobs !== undefined) {
    if (jobs.jobsUnderLoad === 0) {
      // Its figures would be those of an agent without merging.
      throw new Error('Not a valid run: no job ran beside the load');
    }
    showJobs(jobs);
  }
  const isPenstock = server.name !== 'Apache Kafka';
  if (isPenstock && isLowLatency && (result.landingFallbacks !== 0 || result.landingPutsPerGib === 0)) {
    say(`  not valid: ${result.landingFallbacks} files went to the standard bucket, so this workload is left out`);
    return optional('landing_fallbacks', result.landingFallbacks);
  }
  return {
    [`${prefix}${workload.key}_mib_per_s`]: rounded(result.mibPerS, 2),
    [`${prefix}${workload.key}_cpu_s_per_gib`]: rounded(result.cpuSPerGib, 2),
    ...optional('p50_ms', result.p50Ms),
    ...optional('p99_ms', result.p99Ms),
    ...optional('end_to_end_p50_ms', result.endToEndP50Ms),
    ...optional('end_to_end_p99_ms', result.endToEndP99Ms),
    ...optional('puts_per_gib', result.putsPerGib),
    ...optional('gets_per_gib', result.getsPerGib),
    ...(isPenstock ? optional('service_cpu_s_per_gib', othersPerGib) : {}),
    ...(isLowLatency ? optional('landing_puts_per_gib', result.landingPutsPerGib) : {}),
    ...(isLowLatency ? optional('landing_gets_per_gib', result.landingGetsPerGib) : {}),
    ...(isLowLatency ? optional('landing_fallbacks', result.landingFallbacks) : {}),
    ...optional('jobs_under_load', jobs?.jobsUnderLoad),
    ...optional('jobs_of_level_1', jobs?.level1),
    ...optional('jobs_of_level_2', jobs?.level2),
    ...optional('jobs_cpu_s_per_gib', perGib(jobs, 'cpuS'), 2),
    ...optional('jobs_puts_per_gib', perGib(jobs, 'puts')),
    ...optional('jobs_gets_per_gib', perGib(jobs, 'gets')),
    ...(isLowLatency ? optional('jobs_landing_gets_per_gib', perGib(jobs, 'landingGets')) : {}),
  };
}

function perGib(jobs: JobsResult | undefined, what: keyof JobCost): number | undefined {
  return jobs === undefined ? undefined : jobs.cost[what] / jobs.gib;
}

function showJobs(jobs: JobsResult): void {
  const { cost, gib } = jobs;
  const cells = [
    `${jobs.jobsUnderLoad} under the load, ${jobs.level1} of level 1 and ${jobs.level2} of level 2 in all`,
    `${(cost.cpuS / gib).toFixed(2)} CPU s/GiB`,
    `${(cost.puts / gib).toFixed(1)} PUTs/GiB`,
    `${(cost.gets / gib).toFixed(0)} GETs/GiB`,
    ...(isLowLatency ? [`${(cost.landingGets / gib).toFixed(0)} landing GETs/GiB`] : []),
  ];
  say(`  the agent with its jobs: ${cells.join('  ')}`);
}

function show(what: string, result: LoadResult, othersPerGib: number): void {
  const ms = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(0)).padStart(5);
  const cells = [
    `${result.mibPerS.toFixed(1).padStart(6)} MiB/s`,
    `${result.cpuSPerGib.toFixed(2).padStart(6)} CPU s/GiB`,
    ...(othersPerGib > 0 ? [`(service ${othersPerGib.toFixed(2)})`] : []),
    `publish ${ms(result.p50Ms)} ${ms(result.p99Ms)} ms`,
    `end to end ${ms(result.endToEndP50Ms)} ${ms(result.endToEndP99Ms)} ms`,
    ...(result.putsPerGib === undefined ? [] : [`${result.putsPerGib.toFixed(0)} PUTs/GiB`]),
    ...(result.getsPerGib === undefined ? [] : [`${result.getsPerGib.toFixed(0)} GETs/GiB`]),
    ...(isLowLatency && result.landingPutsPerGib !== undefined
      ? [
          `${result.landingPutsPerGib.toFixed(0)} landing PUTs/GiB`,
          `${result.landingGetsPerGib?.toFixed(0)} landing GETs/GiB`,
          `${result.landingFallbacks} fallbacks`,
        ]
      : []),
  ];
  say(`${what.padEnd(62)} ${cells.join('  ')}`);
}

type RunWorkloads = (servers: { clear: Server; tls: Server }, others: Others, jobs?: JobsAgent) => Promise<Figures>;

async function onPenstock(choice: SystemChoice, run: RunWorkloads): Promise<Figures> {
  return await withListeners((listeners) =>
    withPenstock(
      async (server, system, home) => {
        const postmaster = Number((await readFile(join(home, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
        const service = system.metadata[0]?.process.pid;
        if (service === undefined) {
          throw new Error('The metadata service does not run');
        }
        const others = async (): Promise<number> => (await cpuSeconds(service)) + (await cpuSecondsOfTree(postmaster));
        const clear: Server = { ...server, bootstrap: listeners.plain };
        const tls: Server = {
          ...server,
          name: 'Penstock, TLS',
          bootstrap: listeners.tls,
          access: { caFile: listeners.caFile },
        };
        if (!options.jobs) {
          await warmUp(clear);
          return await run({ clear, tls }, others);
        }
        const jobs = await JobsAgent.start(system, home, choice);
        // The first jobs take their memory page by page. Later ones use it again, as on every agent that is busy with jobs.
        await jobs.measure(async () => await runUnmeasured(clear, 'warm-up', {}), 0);
        return await run({ clear, tls }, others, jobs);
      },
      {
        ...choice,
        agentEnv: { ...choice.agentEnv, ...listeners.agentEnv },
        ...(options.jobs ? { metadataEnv: jobsMetadataEnv } : {}),
      },
    ),
  );
}

async function withSavingsSpent(choice: SystemChoice): Promise<Figures> {
  const agentEnv = { ...choice.agentEnv, ...SPENT };
  return await onPenstock({ ...choice, agentEnv }, async ({ clear, tls }, others, jobs) => {
    const figures: Figures = {};
    for (const workload of workloads) {
      Object.assign(figures, await measureOne(clear, '', workload, others, jobs));
      if (workload.isAlsoTls === true && !options.jobs) {
        Object.assign(figures, await measureOne(tls, 'tls_', workload, others));
      }
    }
    return figures;
  });
}

async function withSavings(choice: SystemChoice): Promise<Figures> {
  const chosen = workloads.filter(({ isAlsoSaved }) => isAlsoSaved === true);
  if (chosen.length === 0 || options.jobs) {
    return {};
  }
  return await onPenstock(choice, async ({ clear }, others) => {
    const figures: Figures = {};
    for (const workload of chosen) {
      const saved: Server = { ...clear, name: 'Penstock, with saved PUTs' };
      Object.assign(figures, await measureOne(saved, 'saved_', workload, others));
    }
    return figures;
  });
}

async function warmUp(server: Server): Promise<void> {
  await runUnmeasured(server, 'warm-up', { mib: SERVER_WARM_UP_MIB * scale, mibPerS: 0 });
}

/** On a topic of its own: consumers of another run would read its records, too. */
async function runUnmeasured(server: Server, topic: string, load: Partial<StreamLoad>): Promise<LoadResult> {
  await createTopic(server, topic, PARTITIONS);
  return await stream(server, topic, { ...standard, warmUpMib: 0, ...load });
}

async function onKafka(): Promise<Figures> {
  return await withKafka(async (server) => {
    await warmUp(server);
    await runUnmeasured(server, 'broker-warm-up', { mib: MIB_PER_S * BROKER_WARM_UP_SECONDS * scale });
    const figures: Figures = {};
    for (const workload of workloads) {
      Object.assign(figures, await measureOne(server, 'kafka_', workload, async () => 0));
    }
    return figures;
  });
}

await buildAgent();
const loadBefore = loadavg()[0] ?? 0;
say(
  `1 KiB records that LZ4 compresses 2:1, ${MIB_PER_S} MiB/s: ${((MIB_PER_S / PUBLISHED_MIB_PER_S) * 100).toFixed(0)} % of the published`,
);
say(
  `runs of 1 GiB/s. Clients: ${clients}, acks=all, idempotent. Files on ${profile ?? 'a local disk'}. p50 and p99 in ms.\n`,
);
const penstock = await withStorage(profile, async (choice) => ({
  ...(await withSavingsSpent(choice)),
  ...(await withSavings(choice)),
}));
const kafka = await onKafka();
if (isWhole) {
  const parts = [...(profile === undefined ? [] : [profile]), ...(options.jobs ? ['--jobs'] : [])];
  const name = ['workloads', ...parts.map((part) => part.replace('--', '')), ...(clients === 'java' ? ['java'] : [])];
  const command = ['npm run bench -- workloads', ...parts].join(' ');
  await reportResult(name.join('-'), {
    ...penstock,
    ...kafka,
    command: clients === 'java' ? `PENSTOCK_BENCH_CLIENTS=java ${command}` : command,
    storage: describeStorage(profile),
    mib_per_s: MIB_PER_S,
    seconds: SECONDS,
    load_average_before: rounded(loadBefore, 2),
    machine: await describeMachine(),
  });
}
