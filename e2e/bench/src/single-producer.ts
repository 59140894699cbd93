// `npm run bench -- single-producer`: one producer that nobody tuned, and one that sends a record at a time, to an agent on local storage and on
// object storage with the latencies of S3 Standard and S3 Express One Zone; with files sealed early and without; and to one Apache Kafka
// broker. Prints throughput, latency and PUTs. PENSTOCK_BENCH_SCALE=0.1 makes a quick run, and
// `-- local` measures one kind of storage only and keeps nothing.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { buildAgent } from '../../../infra/local/build.ts';
import { kafkaJars } from '../../../infra/local/tools.ts';
import { mainClasses } from '../../clients/support/java-tools.ts';
import { run } from '../../clients/support/run.ts';
import { createTopic, type Server } from './agent-load.ts';
import { describeMachine } from './machine.ts';
import { reportResult, rounded } from './results.ts';
import { withKafka, withPenstock } from './servers.ts';
import { type StorageProfile, startSlowStorage, storageLatencies } from './slow-storage.ts';

const PARTITIONS = 288;
const RECORD_BYTES = 1_024;
const RECORDS_PER_GIB = 1024 ** 3 / RECORD_BYTES;
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const MS_PER_HOUR = 3_600_000;

/** Settings of kafka-producer-perf-test besides the defaults, which are acks=all and idempotence. */
const producers = {
  untuned: [],
  lz4: ['batch.size=100000', 'compression.type=lz4'],
} as const satisfies Record<string, readonly string[]>;
type ProducerName = keyof typeof producers;

interface Throughput {
  mibPerS: number;
  p50Ms: number;
  p99Ms: number;
  putsPerGib: number | undefined;
}

interface OneByOne {
  p50Ms: number;
  p99Ms: number;
  putsPerHour: number | undefined;
}

interface Measured {
  producers: Record<ProducerName, Throughput>;
  oneByOne: OneByOne;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function perfTest(server: Server, topic: string, mib: number, settings: readonly string[]): Promise<Throughput> {
  const flags = ['-Xmx512m', '-cp', join(await kafkaJars(), '*'), mainClasses['kafka-producer-perf-test']];
  const records = Math.round(mib * 1_024);
  const load = ['--topic', topic, '--num-records', String(records), '--record-size', String(RECORD_BYTES)];
  const properties = [`bootstrap.servers=${server.bootstrap}`, ...settings];
  const before = await server.objectRequests();
  const output = await run('java', [...flags, ...load, '--throughput', '-1', '--command-property', ...properties], {
    timeout_ms: 600_000,
  });
  const after = await server.objectRequests();
  const last = output.trim().split('\n').at(-1) ?? '';
  const figures = /^(\d+) records sent, .* \(([\d.]+) MB\/sec\).* (\d+) ms 50th, .* (\d+) ms 99th/.exec(last);
  if (figures === null || Number(figures[1]) !== records) {
    throw new Error(`Not all records were sent: ${output.slice(-2_000)}`);
  }
  const gib = records / RECORDS_PER_GIB;
  return {
    mibPerS: Number(figures[2]),
    p50Ms: Number(figures[3]),
    p99Ms: Number(figures[4]),
    putsPerGib: before && after && (after.puts - before.puts) / gib,
  };
}

async function sendOneByOne(server: Server, topic: string, records: number): Promise<OneByOne> {
  const kafka = new Kafka({ brokers: [server.bootstrap], logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  const times: number[] = [];
  const send = async (): Promise<number> => {
    const began = performance.now();
    await producer.send({ topic, acks: -1, messages: [{ value: Buffer.alloc(RECORD_BYTES, 97) }] });
    return performance.now() - began;
  };
  for (let warmUp = 0; warmUp < 10; warmUp += 1) {
    await send();
  }
  const before = await server.objectRequests();
  const began = performance.now();
  for (let record = 0; record < records; record += 1) {
    times.push(await send());
  }
  const tookMs = performance.now() - began;
  const after = await server.objectRequests();
  await producer.disconnect();
  times.sort((a, b) => a - b);
  const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  const puts = before && after && after.puts - before.puts;
  return {
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    putsPerHour: puts === undefined ? undefined : (puts / tookMs) * MS_PER_HOUR,
  };
}

async function measure(what: string, server: Server, mib: number): Promise<Measured> {
  const measured: Partial<Record<ProducerName, Throughput>> = {};
  for (const name of Object.keys(producers) as ProducerName[]) {
    const topic = `producer-${name}`;
    await createTopic(server, topic, PARTITIONS);
    await perfTest(server, topic, mib / 4, producers[name]);
    const result = await perfTest(server, topic, mib, producers[name]);
    measured[name] = result;
    const puts = result.putsPerGib === undefined ? '' : `${result.putsPerGib.toFixed(0).padStart(6)} PUTs/GiB`;
    const cells = [
      `${result.mibPerS.toFixed(1).padStart(7)} MiB/s`,
      `p50 ${result.p50Ms} ms`,
      `p99 ${result.p99Ms} ms`,
    ];
    say(`${`${what}: ${name}`.padEnd(48)}${cells.join('  ')}  ${puts}`);
  }
  const topic = 'one-by-one';
  await createTopic(server, topic, PARTITIONS);
  const oneByOne = await sendOneByOne(server, topic, Math.round(200 * scale));
  const perHour = oneByOne.putsPerHour === undefined ? '' : `${oneByOne.putsPerHour.toFixed(0)} PUTs/h`;
  const cells = [`p50 ${oneByOne.p50Ms.toFixed(1)} ms`, `p99 ${oneByOne.p99Ms.toFixed(1)} ms`, perHour];
  say(`${`${what}: one record at a time`.padEnd(48)}${cells.join('  ')}`);
  const { untuned, lz4 } = measured;
  if (untuned === undefined || lz4 === undefined) {
    throw new Error('A producer was not measured');
  }
  return { producers: { untuned, lz4 }, oneByOne };
}

async function onStorage(profile: StorageProfile | 'local', isEarly: boolean): Promise<Measured> {
  const what = `${profile}, ${isEarly ? 'sealed early' : 'sealed at the interval'}`;
  const budget: Record<string, string> = isEarly ? {} : { PENSTOCK_PUT_BUDGET_PER_HOUR: '0' };
  const mib = (isEarly && profile !== 'standard' ? 2_048 : 512) * scale;
  const work = (server: Server) => measure(what, server, mib);
  if (profile === 'local') {
    return await withPenstock(work, { agentEnv: budget });
  }
  const storage = await startSlowStorage(storageLatencies[profile]);
  try {
    return await withPenstock(work, { s3: storage.s3, agentEnv: { ...storage.agentEnv, ...budget } });
  } finally {
    await storage.stop();
  }
}

function figures(prefix: string, measured: Measured): Record<string, number> {
  const of = (name: ProducerName): Record<string, number> => {
    const { mibPerS, p50Ms, p99Ms, putsPerGib } = measured.producers[name];
    return {
      [`${prefix}${name}_mib_per_s`]: rounded(mibPerS, 1),
      [`${prefix}${name}_p50_ms`]: p50Ms,
      [`${prefix}${name}_p99_ms`]: p99Ms,
      ...(putsPerGib === undefined ? {} : { [`${prefix}${name}_puts_per_gib`]: rounded(putsPerGib, 1) }),
    };
  };
  const { p50Ms, p99Ms, putsPerHour } = measured.oneByOne;
  return {
    ...of('untuned'),
    ...of('lz4'),
    [`${prefix}one_by_one_p50_ms`]: rounded(p50Ms, 1),
    [`${prefix}one_by_one_p99_ms`]: rounded(p99Ms, 1),
    ...(putsPerHour === undefined ? {} : { [`${prefix}one_by_one_puts_per_hour`]: rounded(putsPerHour) }),
  };
}

await buildAgent();
const loadBefore = loadavg()[0] ?? 0;
say(`kafka-producer-perf-test, ${RECORD_BYTES} bytes per record, ${PARTITIONS} partitions, acks=all, idempotent.\n`);
const results: Record<string, number> = {};
const profiles = ['local', 'express', 'standard'] as const;
const chosen = profiles.filter((profile) => process.argv.length < 3 || process.argv.includes(profile));
for (const profile of chosen) {
  Object.assign(results, figures(`${profile}_fixed_`, await onStorage(profile, false)));
  Object.assign(results, figures(`${profile}_`, await onStorage(profile, true)));
}
Object.assign(results, figures('kafka_', await withKafka((server) => measure('Apache Kafka', server, 2_048 * scale))));
if (chosen.length < profiles.length) {
  process.exit();
}
await reportResult('single-producer', {
  ...results,
  load: { partitions: PARTITIONS, record_bytes: RECORD_BYTES },
  storage: storageLatencies,
  load_average_before: rounded(loadBefore, 2),
  machine: await describeMachine(),
});
