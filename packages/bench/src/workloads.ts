// `npm run bench:workloads`: the workloads of published comparisons, at a stated fraction of their rate, on an agent and on one Apache Kafka
// broker in the same run. `-- standard` or `-- express` puts an agent's files on object storage with those latencies, over TLS; without it
// they are on a local disk. PENSTOCK_BENCH_SCALE=0.1 makes a quick run that is not kept.
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { buildAgent } from '../../../infra/local/build.ts';
import { createTopic, type LoadResult, type Server, type StreamLoad, stream } from './agent-load.ts';
import { describeMachine } from './machine.ts';
import { cpuSeconds, cpuSecondsOfTree } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';
import { withListeners } from './secured/listeners.ts';
import { type SystemChoice, withKafka, withPenstock } from './servers.ts';
import { startSlowStorage, storageLatencies } from './slow-storage.ts';

/** The published runs write 1 GiB/s. */
const MIB_PER_S = 20;
const PUBLISHED_MIB_PER_S = 1_024;
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const SECONDS = 20 * scale;
/** `--only standard,round_robin`: some of them, which is not kept either. */
const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',');
const isWhole = scale === 1 && !process.argv.includes('--only');

interface Workload {
  /** As figures are named. */
  key: string;
  title: string;
  partitions: number;
  load: Partial<StreamLoad>;
  /** Also over TLS, on the agent. */
  isAlsoTls?: boolean;
}

const standard: StreamLoad = {
  producers: 64,
  consumers: 64,
  fanOut: 1,
  partitioner: 'sticky',
  inFlight: 5,
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
});

const allWorkloads: readonly Workload[] = [
  { key: 'standard', title: '64 producers and consumers, 288 partitions', partitions: 288, load: {} },
  { key: 'producers_256', title: '256 producers', partitions: 288, load: { producers: 256 } },
  { key: 'partitions_1152', title: '1,152 partitions', partitions: 1_152, load: {} },
  { key: 'partitions_4608', title: '4,608 partitions', partitions: 4_608, load: {} },
  { key: 'fan_out_3', title: 'Every record read three times', partitions: 288, load: { fanOut: 3 } },
  { key: 'round_robin', title: 'Round robin', partitions: 288, load: { partitioner: 'round-robin' } },
  { key: 'full_speed', title: 'Full speed, sticky', partitions: 288, load: { mibPerS: 0, mib: 512 * scale } },
  {
    key: 'full_speed_round_robin',
    title: 'Full speed, round robin',
    partitions: 288,
    load: { partitioner: 'round-robin', mibPerS: 0, mib: 256 * scale },
  },
  streams(1),
  streams(100),
  streams(2_000),
  { key: 'producers_4', title: '4 producers', partitions: 288, load: { producers: 4, consumers: 4 }, isAlsoTls: true },
  {
    key: 'producers_50',
    title: '50 producers',
    partitions: 288,
    load: { producers: 50, consumers: 50 },
    isAlsoTls: true,
  },
];

const workloads = allWorkloads.filter(({ key }) => !process.argv.includes('--only') || only?.includes(key));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** CPU time so far of what serves the clients besides the server itself, in seconds. */
type Others = () => Promise<number>;

type Figures = Record<string, number>;

async function measureOne(server: Server, prefix: string, workload: Workload, others: Others): Promise<Figures> {
  const topic = `${prefix}${workload.key}`.replaceAll('_', '-');
  await createTopic(server, topic, workload.partitions);
  const before = await others();
  const result = await stream(server, topic, { ...standard, ...workload.load });
  const gib = result.records / 1024 ** 2;
  const othersPerGib = ((await others()) - before) / gib;
  show(`${server.name}: ${workload.title}`, result, othersPerGib);
  const optional = (name: string, value: number | undefined): Figures =>
    value === undefined ? {} : { [`${prefix}${workload.key}_${name}`]: rounded(value, 1) };
  return {
    [`${prefix}${workload.key}_mib_per_s`]: rounded(result.mibPerS, 2),
    [`${prefix}${workload.key}_cpu_s_per_gib`]: rounded(result.cpuSPerGib, 2),
    ...optional('p50_ms', result.p50Ms),
    ...optional('p99_ms', result.p99Ms),
    ...optional('end_to_end_p50_ms', result.endToEndP50Ms),
    ...optional('end_to_end_p99_ms', result.endToEndP99Ms),
    ...optional('puts_per_gib', result.putsPerGib),
    ...optional('gets_per_gib', result.getsPerGib),
    ...(server.name === 'Apache Kafka' ? {} : optional('service_cpu_s_per_gib', othersPerGib)),
  };
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
  ];
  say(`${what.padEnd(62)} ${cells.join('  ')}`);
}

async function onPenstock(choice: SystemChoice): Promise<Figures> {
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
        const figures: Figures = {};
        for (const workload of workloads) {
          Object.assign(figures, await measureOne(clear, '', workload, others));
          if (workload.isAlsoTls === true) {
            Object.assign(figures, await measureOne(tls, 'tls_', workload, others));
          }
        }
        return figures;
      },
      { ...choice, agentEnv: { ...choice.agentEnv, ...listeners.agentEnv } },
    ),
  );
}

async function onKafka(): Promise<Figures> {
  return await withKafka(async (server) => {
    const figures: Figures = {};
    for (const workload of workloads) {
      Object.assign(figures, await measureOne(server, 'kafka_', workload, async () => 0));
    }
    return figures;
  });
}

// The first argument, because a workload has the name of a profile, too.
const profile = (['standard', 'express'] as const).find((name) => process.argv[2] === name);

async function onChosenStorage(): Promise<Figures> {
  if (profile === undefined) {
    return await onPenstock({});
  }
  const storage = await startSlowStorage(storageLatencies[profile]);
  try {
    return await onPenstock({ s3: storage.s3, agentEnv: storage.agentEnv });
  } finally {
    await storage.stop();
  }
}

await buildAgent();
const loadBefore = loadavg()[0] ?? 0;
say(
  `Records of 1 KiB that LZ4 halves, ${MIB_PER_S} MiB/s: ${((MIB_PER_S / PUBLISHED_MIB_PER_S) * 100).toFixed(0)} % of the published`,
);
say(
  `runs of 1 GiB/s. Native clients, acks=all, idempotent. Files on ${profile ?? 'a local disk'}. p50 and p99 in ms.\n`,
);
const penstock = await onChosenStorage();
const kafka = await onKafka();
if (isWhole) {
  await reportResult(profile === undefined ? 'workloads' : `workloads-${profile}`, {
    ...penstock,
    ...kafka,
    command: `npm run bench:workloads${profile === undefined ? '' : ` -- ${profile}`}`,
    storage: profile === undefined ? 'local disk' : storageLatencies[profile],
    mib_per_s: MIB_PER_S,
    seconds: SECONDS,
    load_average_before: rounded(loadBefore, 2),
    machine: await describeMachine(),
  });
}
