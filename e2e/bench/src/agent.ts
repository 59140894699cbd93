// `npm run bench -- agent`: one agent on local storage against one Apache Kafka broker, with the same clients and the same load.
// Prints a table and one line of JSON, and saves that line in e2e/bench/results/agent.json. `-- --secured` measures only what TLS and
// ACLs cost, and saves that in agent-secured.json. `-- --merging` measures only merging, and saves nothing. `-- --codecs` measures only
// what writing costs the agent by codec, three times in turns, and saves nothing.
// `cargo run --release -p penstock-wire --example batch_speed` measures the check of batches alone, for every codec.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildAgent } from '../../../infra/local/build.ts';
import type { RunningSystem } from '../../../infra/local/system.ts';
import {
  BATCH_BYTES,
  chosenClients,
  codecs,
  consume,
  createTopic,
  LINGER_MS,
  type LoadResult,
  produce,
  type Server,
} from './agent-load.ts';
import { assertOpen, windowCloses } from './backlog/merging.ts';
import { describeMachine } from './machine.ts';
import { peakRssMib } from './process-usage.ts';
import { reportResult, rounded as round } from './results.ts';
import { measureSecured } from './secured/measure.ts';
import { type SystemChoice, withKafka, withPenstock } from './servers.ts';
import { startSlowStorage, storageLatencies } from './slow-storage.ts';
import { JOBS_WINDOW_MS, JobsAgent, type JobsResult, jobsMetadataEnv } from './workloads/jobs.ts';

const PARTITIONS = 288;
const PRODUCERS = 64;
const CONSUMERS = 4;
/** Sizes are for a run of some minutes; PENSTOCK_BENCH_SCALE=0.1 makes a quick one. */
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const fullSpeedMib = Math.round(4_096 * scale);
/**
 * Excludes one-time costs: a broker maps and reads two index files at the first append to each partition, its JIT compiler and the clients
 * need some work, the agent's cache fills, and sockets get memory that a virtual machine's host may have to allocate first.
 */
const warmUpMib = Math.round(1_024 * scale);
const STEADY_MIB_PER_S = 100;
const steadyMib = Math.round(STEADY_MIB_PER_S * 20 * scale);
/** Half of it as stored: two jobs of 1 GiB. */
const mergedMib = Math.round(4_096 * scale);
const partitionCounts = [288, 1_152, 4_608];

interface Measured {
  write: LoadResult;
  read: LoadResult;
  steady: LoadResult;
  peakRssMib: number;
}

async function measure(server: Server): Promise<Measured> {
  await createTopic(server, 'full-speed', PARTITIONS);
  const write = await produce(server, 'full-speed', {
    producers: PRODUCERS,
    warmUpMib: warmUpMib,
    mib: fullSpeedMib,
    mibPerS: 0,
  });
  show(`${server.name}: write at full speed`, write);
  const read = await readAll(server, 'full-speed', warmUpMib + fullSpeedMib);
  show(`${server.name}: read all of it`, read);
  const steady = await writeSteadily(server, 'steady', PARTITIONS);
  show(`${server.name}: write at ${STEADY_MIB_PER_S} MiB/s`, steady);
  const peak = await peakRssMib(server.pid);
  console.log(`${`${server.name}: peak memory`.padEnd(44)} ${peak.toFixed(0).padStart(7)} MiB`);
  return { write, read, steady, peakRssMib: peak };
}

async function readAll(server: Server, topic: string, mib: number): Promise<LoadResult> {
  // Otherwise reads would pay for writes, as the kernel would still be flushing the same pages to disk.
  await promisify(execFile)('sync');
  // Twice: caches, sockets and clients need some seconds of reading until they have all their memory.
  return consume(server, topic, { consumers: CONSUMERS, warmUpMib: mib, mib });
}

async function writeSteadily(server: Server, topic: string, partitionCount: number): Promise<LoadResult> {
  await createTopic(server, topic, partitionCount);
  const load = { producers: PRODUCERS, warmUpMib: warmUpMib / 4, mib: steadyMib, mibPerS: STEADY_MIB_PER_S };
  return produce(server, topic, load);
}

function show(what: string, result: LoadResult): void {
  const parts = [
    `${result.mibPerS.toFixed(1).padStart(7)} MiB/s`,
    `${result.cpuSPerGib.toFixed(2).padStart(6)} CPU s/GiB`,
    `${result.requestsPerGib.toFixed(0).padStart(6)} requests/GiB`,
    ...(result.batchBytes === undefined ? [] : [`batches of ${(result.batchBytes / 1024).toFixed(0)} KiB`]),
    ...(result.p50Ms === undefined ? [] : [`p50 ${result.p50Ms.toFixed(1)} ms`, `p99 ${result.p99Ms?.toFixed(1)} ms`]),
    ...(result.putsPerGib === undefined ? [] : [`${result.putsPerGib.toFixed(1)} PUTs/GiB`]),
    ...(result.getsPerGib === undefined ? [] : [`${result.getsPerGib.toFixed(1)} GETs/GiB`]),
  ];
  console.log(`${what.padEnd(44)} ${parts.join('  ')}`);
}

interface MergingMeasured {
  write: LoadResult;
  jobs: JobsResult;
  read: LoadResult;
}

/**
 * The cost of merging after 100 MiB/s, both levels together, and the cost of reading the result. On an S3 server over TLS with the
 * latencies of S3 Standard, as users run it: an agent that writes files of hundreds of MiB to a disk would pay for the page cache, and
 * without TLS each body is hashed for its signature. The agent has merged half as much before: its first jobs take their memory from the
 * machine, the later ones use it again. An hour's window is shortened to two minutes, so the second level takes two files of 1 GiB instead
 * of hundreds.
 */
async function measureMerging(): Promise<MergingMeasured> {
  const storage = await startSlowStorage(storageLatencies.standard);
  const choice: SystemChoice = { s3: storage.s3, agentEnv: storage.agentEnv };
  try {
    const work = async (server: Server, system: RunningSystem, home: string): Promise<MergingMeasured> => {
      const jobsAgent = await JobsAgent.start(system, home, choice);
      const writeAndMerge = (topic: string, mib: number): Promise<{ result: LoadResult; jobs: JobsResult }> =>
        jobsAgent.measure(async () => {
          const closesAtMs = windowCloses(JOBS_WINDOW_MS);
          await createTopic(server, topic, PARTITIONS);
          const load = { producers: PRODUCERS, warmUpMib: 0, mib, mibPerS: STEADY_MIB_PER_S };
          const written = await produce(server, topic, load);
          assertOpen(closesAtMs, JOBS_WINDOW_MS);
          return written;
        }, 0);
      await writeAndMerge('warm-up', mergedMib / 2);
      const { result: write, jobs } = await writeAndMerge('merged', mergedMib);
      show(`${server.name}: write at ${STEADY_MIB_PER_S} MiB/s, S3`, write);
      showMerging(jobs);
      await jobsAgent.stop();
      const read = await readAll(server, 'merged', mergedMib);
      show(`${server.name}: read after merging, S3`, read);
      return { write, jobs, read };
    };
    return await withPenstock(work, { ...choice, metadataEnv: jobsMetadataEnv });
  } finally {
    await storage.stop();
  }
}

function showMerging({ cost, storedGib, level1, level2 }: JobsResult): void {
  const parts = [
    `${(cost.cpuS / storedGib).toFixed(2)} CPU s`,
    `${(cost.puts / storedGib).toFixed(1)} PUTs`,
    `${(cost.gets / storedGib).toFixed(1)} GETs`,
  ];
  console.log(
    `Merging at both levels, per GiB as stored: ${parts.join(', ')} (${level1} jobs of level 1, ${level2} of level 2)`,
  );
}

/** PUTs per GiB at a steady rate, by number of partitions: cost must follow bytes and time, never partitions. */
async function putsByPartitions(server: Server): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const count of partitionCounts) {
    const steady = await writeSteadily(server, `partitions-${count}`, count);
    show(`Penstock: ${count} partitions at ${STEADY_MIB_PER_S} MiB/s`, steady);
    result[String(count)] = round(steady.putsPerGib ?? Number.NaN, 1);
  }
  return result;
}

/** CPU of writing by codec. In turns, so that other programs of the machine disturb all alike. */
async function measureCodecs(): Promise<void> {
  await withPenstock(async (server) => {
    for (let round = 0; round < 3; round += 1) {
      for (const codec of codecs) {
        const topic = `codec-${codec}-${round}`;
        await createTopic(server, topic, PARTITIONS);
        const load = { producers: PRODUCERS, warmUpMib: warmUpMib / 4, mib: fullSpeedMib / 4, mibPerS: 0, codec };
        show(`${server.name}: write with ${codec}`, await produce(server, topic, load));
      }
    }
  });
}

function figures(prefix: string, measured: Measured): Record<string, number> {
  const { write, read, steady } = measured;
  return {
    [`${prefix}write_mib_per_s`]: round(write.mibPerS, 1),
    [`${prefix}read_mib_per_s`]: round(read.mibPerS, 1),
    [`${prefix}write_cpu_s_per_gib`]: round(write.cpuSPerGib, 3),
    [`${prefix}read_cpu_s_per_gib`]: round(read.cpuSPerGib, 3),
    [`${prefix}batch_bytes`]: round(write.batchBytes ?? Number.NaN, 0),
    [`${prefix}write_requests_per_gib`]: round(write.requestsPerGib, 0),
    [`${prefix}read_requests_per_gib`]: round(read.requestsPerGib, 0),
    [`${prefix}steady_batch_bytes`]: round(steady.batchBytes ?? Number.NaN, 0),
    [`${prefix}steady_write_mib_per_s`]: round(steady.mibPerS, 1),
    [`${prefix}steady_write_cpu_s_per_gib`]: round(steady.cpuSPerGib, 3),
    // At the steady rate: at full speed, latency only measures the producers' own queues.
    [`${prefix}produce_p50_ms`]: round(steady.p50Ms ?? Number.NaN, 1),
    [`${prefix}produce_p99_ms`]: round(steady.p99Ms ?? Number.NaN, 1),
    [`${prefix}full_speed_p99_ms`]: round(write.p99Ms ?? Number.NaN, 1),
    [`${prefix}peak_rss_mib`]: round(measured.peakRssMib, 0),
  };
}

/** The clients' settings; all others are the Java client's defaults. */
const clientSettings = {
  clients: chosenClients(),
  producer: `idempotent, acks=all compression.type=lz4 linger.ms=${LINGER_MS} batch.size=${BATCH_BYTES}`,
  consumer: 'partitions assigned by ranges, fetch.max.bytes=52428800 max.partition.fetch.bytes=1048576',
};

async function main(): Promise<void> {
  await buildAgent();
  console.log(
    `1 KiB records that LZ4 compresses 2:1, ${PARTITIONS} partitions, the same clients against both systems.`,
  );
  console.log(`Clients: ${clientSettings.clients}. ${PRODUCERS} producers: ${clientSettings.producer}`);
  console.log(`${CONSUMERS} consumers: ${clientSettings.consumer}`);
  console.log(
    `${warmUpMib} MiB are first written that are not measured (a quarter of it before a steady rate); all is read once before.`,
  );
  const kafka = await withKafka(measure);
  const penstock = await withPenstock(async (server) => {
    const measured = await measure(server);
    return { measured, putsByPartitions: await putsByPartitions(server) };
  });
  const { measured } = penstock;
  const { write: s3Write, jobs, read: s3Read } = await measureMerging();
  const secured = chosenClients() === 'native' ? await measureSecured(scale) : undefined;
  const { cost, storedGib } = jobs;
  const ratio = (which: (of: Measured) => LoadResult): string =>
    (which(measured).cpuSPerGib / which(kafka).cpuSPerGib).toFixed(2);
  const ratios = [
    `written ${ratio((of) => of.write)}`,
    `steady ${ratio((of) => of.steady)}`,
    `read ${ratio((of) => of.read)}`,
  ];
  console.log(`CPU per GiB, Penstock to Apache Kafka: ${ratios.join(', ')}`);
  await reportResult(clientSettings.clients === 'native' ? 'agent' : 'agent-java-clients', {
    ...figures('', measured),
    puts_per_gib: round(measured.write.putsPerGib ?? Number.NaN, 1),
    gets_per_gib: round(measured.read.getsPerGib ?? Number.NaN, 1),
    steady_puts_per_gib: round(measured.steady.putsPerGib ?? Number.NaN, 1),
    steady_puts_per_gib_by_partitions: penstock.putsByPartitions,
    s3_steady_write_cpu_s_per_gib: round(s3Write.cpuSPerGib, 3),
    s3_merged_read_mib_per_s: round(s3Read.mibPerS, 1),
    s3_merged_read_cpu_s_per_gib: round(s3Read.cpuSPerGib, 3),
    s3_merged_read_gets_per_gib: round(s3Read.getsPerGib ?? Number.NaN, 1),
    merge_cpu_s_per_stored_gib: round(cost.cpuS / storedGib, 3),
    merge_puts_per_stored_gib: round(cost.puts / storedGib, 1),
    merge_gets_per_stored_gib: round(cost.gets / storedGib, 1),
    merge_bytes_written_per_byte_read: round(cost.writtenBytes / cost.readBytes, 3),
    ...figures('kafka_', kafka),
    ...(secured === undefined ? {} : { secured }),
    load: {
      partitions: PARTITIONS,
      producers: PRODUCERS,
      consumers: CONSUMERS,
      record_bytes: 1_024,
      codec: 'lz4',
      warm_up_mib: warmUpMib,
      read_warm_up_mib: warmUpMib + fullSpeedMib,
      full_speed_mib: fullSpeedMib,
      steady_mib: steadyMib,
      ...clientSettings,
    },
    machine: await describeMachine(),
  });
}

if (process.argv.includes('--secured')) {
  await buildAgent();
  await reportResult('agent-secured', { ...(await measureSecured(scale)), machine: await describeMachine() });
} else if (process.argv.includes('--merging')) {
  await buildAgent();
  await measureMerging();
} else if (process.argv.includes('--codecs')) {
  await buildAgent();
  await measureCodecs();
} else {
  await main();
}
