// `npm run bench -- backlog`: reads a backlog from many partitions, before and after it is merged, against one Apache Kafka broker with the
// same data and the same clients. Prints a table and one line of JSON, and saves that line in e2e/bench/results/backlog.json.
import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { buildAgent } from '../../../infra/local/build.ts';
import type { RunningSystem } from '../../../infra/local/system.ts';
import { chosenClients, consume, createTopic, type LoadResult, produce, type Server } from './agent-load.ts';
import {
  assertOpen,
  type BucketContent,
  bucketContent,
  costBetween,
  type JobCost,
  jobCost,
  objectsFolder,
  untilMerged,
  windowBegins,
} from './backlog/merging.ts';
import { describeMachine } from './machine.ts';
import { peakRssMib } from './process-usage.ts';
import { reportResult, rounded as round } from './results.ts';
import { agentOptions, withKafka, withPenstock } from './servers.ts';

const GIB = 2 ** 30;
const PARTITIONS = 4_608;
const PRODUCERS = 64;
const CONSUMERS = 8;
const TOPIC = 'backlog';
/** PENSTOCK_BENCH_SCALE=0.1 makes a run of some minutes. Below that, there is too little data to merge twice. */
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const SMALLEST_SCALE = 0.1;
const backlogMib = Math.round(20 * 1_024 * scale);
/** Consumers start in a staggered way, so that the last one starts when a fifth has been read. */
const apartMib = backlogMib / 32;
/** A window closes an hour after it began; here, soon after everything is written. */
const windowMs = Math.max(30_000, Math.round(120_000 * scale));
/** Compressed, including files that merging has not deleted yet. */
const neededDiskBytes = 3.5 * 0.55 * backlogMib * 2 ** 20;
const aim = { getsPerGib: 40 };

interface Reading extends LoadResult {
  peakRssMib: number;
}

async function write(server: Server): Promise<LoadResult> {
  await createTopic(server, TOPIC, PARTITIONS);
  const written = await produce(server, TOPIC, { producers: PRODUCERS, warmUpMib: 0, mib: backlogMib, mibPerS: 0 });
  console.log(`${`${server.name}: written`.padEnd(34)} ${written.mibPerS.toFixed(0).padStart(6)} MiB/s`);
  return written;
}

/** Reads everything twice and measures the second time, when processes and sockets have all their memory. */
async function read(what: string, server: Server, written: LoadResult): Promise<Reading> {
  // Otherwise reads would pay for writes, as the kernel would still be flushing the same pages to disk.
  await promisify(execFile)('sync');
  const result = await consume(server, TOPIC, {
    consumers: CONSUMERS,
    warmUpMib: backlogMib,
    mib: backlogMib,
    apartMib: apartMib,
  });
  if (result.records !== written.records || result.bytes !== written.bytes) {
    throw new Error(
      `${what}: read ${result.records} records in ${result.bytes} bytes instead of ${written.records} in ${written.bytes}`,
    );
  }
  const reading = { ...result, peakRssMib: await peakRssMib(server.pid) };
  const parts = [
    `${reading.mibPerS.toFixed(0).padStart(6)} MiB/s`,
    `${reading.cpuSPerGib.toFixed(3)} CPU s/GiB`,
    `${reading.requestsPerGib.toFixed(0).padStart(4)} requests/GiB`,
    ...(reading.getsPerGib === undefined ? [] : [`${reading.getsPerGib.toFixed(1)} GETs/GiB`]),
    `${reading.peakRssMib.toFixed(0)} MiB of memory at most`,
  ];
  console.log(`${what.padEnd(34)} ${parts.join('  ')}`);
  return reading;
}

function storedBytes({ bytes }: LoadResult): number {
  if (bytes === undefined) {
    throw new Error('The load generator does not say what it sent');
  }
  return bytes;
}

interface MergedBacklog extends BucketContent {
  jobs: { level1: number; level2: number };
  /** Resources that the agent with the jobs used for both levels together. */
  cost: JobCost;
  seconds: number;
}

/** Starts an agent that only merges, waits until all is merged, and stops it, so that nothing runs during the reads. */
async function mergeAll(system: RunningSystem, folder: string, batchBytes: number): Promise<MergedBacklog> {
  const startedMs = Date.now();
  const agent = await system.startAgent(agentOptions('jobs'));
  const idle = await jobCost(agent);
  const { level1, level2, files, bytes } = await untilMerged(system, folder, batchBytes);
  const cost = costBetween(idle, await jobCost(agent));
  await agent.process.stop();
  return { files, bytes, jobs: { level1, level2 }, cost, seconds: (Date.now() - startedMs) / 1_000 };
}

interface PenstockReadings {
  before: Reading;
  after: Reading;
  flushedFiles: number;
  merged: MergedBacklog;
}

async function measurePenstock(): Promise<PenstockReadings> {
  const choice = { metadataEnv: { PENSTOCK_METADATA_MERGE_WINDOW_MS: String(windowMs) } };
  return withPenstock(async (server, system, home) => {
    const closesAtMs = await windowBegins(windowMs);
    const written = await write(server);
    assertOpen(closesAtMs, windowMs);
    const folder = objectsFolder(home);
    const flushed = await bucketContent(folder);
    const before = await read('Penstock: before merging', server, written);
    const merged = await mergeAll(system, folder, storedBytes(written));
    const { jobs } = merged;
    console.log(
      `Merged as after an hour, with a window of ${windowMs / 1_000} s instead (PENSTOCK_METADATA_MERGE_WINDOW_MS), by one more agent: ` +
        `${jobs.level1} jobs of level 1, ${jobs.level2} of level 2, ${merged.seconds.toFixed(0)} s. ` +
        `${flushed.files} files became ${merged.files}; runs of ${round(merged.bytes / PARTITIONS / 1_024)} KiB.`,
    );
    const after = await read('Penstock: after merging', server, written);
    return { before, after, flushedFiles: flushed.files, merged };
  }, choice);
}

function figures(prefix: string, reading: Reading): Record<string, number> {
  return {
    ...(reading.getsPerGib === undefined ? {} : { [`${prefix}gets_per_gib`]: round(reading.getsPerGib, 1) }),
    [`${prefix}cpu_s_per_gib`]: round(reading.cpuSPerGib, 3),
    [`${prefix}mib_per_s`]: round(reading.mibPerS, 1),
    [`${prefix}requests_per_gib`]: round(reading.requestsPerGib, 0),
    [`${prefix}peak_rss_mib`]: round(reading.peakRssMib, 0),
  };
}

async function main(): Promise<void> {
  if (!(scale >= SMALLEST_SCALE)) {
    throw new Error(
      `PENSTOCK_BENCH_SCALE is a number from ${SMALLEST_SCALE} on, not "${process.env['PENSTOCK_BENCH_SCALE']}"`,
    );
  }
  if (chosenClients() !== 'native') {
    throw new Error('Only the native clients count the bytes that they read: leave PENSTOCK_BENCH_CLIENTS out');
  }
  const disk = await statfs(tmpdir());
  const freeBytes = disk.bavail * disk.bsize;
  if (freeBytes < neededDiskBytes) {
    throw new Error(
      `${tmpdir()} has ${(freeBytes / GIB).toFixed(1)} GiB free; ${(neededDiskBytes / GIB).toFixed(1)} are needed`,
    );
  }
  await buildAgent();
  console.log(
    `${backlogMib} MiB of 1 KiB records that LZ4 compresses 2:1, ${PARTITIONS} partitions, ${PRODUCERS} producers, the same clients against both systems.`,
  );
  console.log(
    `${CONSUMERS} consumers, each reads its own ${PARTITIONS / CONSUMERS} partitions from the beginning; one begins when ${round(apartMib)} MiB more are read than when the one before it began.`,
  );
  console.log('All is read once before. Records, bytes and the checksum of each batch are checked.');
  const kafka = await withKafka(async (server) => read('Apache Kafka', server, await write(server)));
  const { before, after, flushedFiles, merged } = await measurePenstock();
  const ratio = after.cpuSPerGib / kafka.cpuSPerGib;
  console.log(
    `After merging: ${after.getsPerGib?.toFixed(1)} GETs per uncompressed GiB (aim: at most ${aim.getsPerGib}); CPU per GiB is ${ratio.toFixed(2)} times Apache Kafka's (aim: at most 1)`,
  );
  await reportResult('backlog', {
    ...figures('before_', before),
    ...figures('after_', after),
    ...figures('kafka_', kafka),
    cpu_to_kafka: round(ratio, 3),
    flushed_files: flushedFiles,
    merged_files: merged.files,
    merge_jobs_level_1: merged.jobs.level1,
    merge_jobs_level_2: merged.jobs.level2,
    merge_cpu_s: round(merged.cost.cpuS, 1),
    merge_puts: merged.cost.puts,
    merge_gets: merged.cost.gets,
    merge_s: round(merged.seconds, 0),
    load: {
      backlog_mib: backlogMib,
      stored_mib: round(merged.bytes / 2 ** 20, 0),
      partitions: PARTITIONS,
      producers: PRODUCERS,
      consumers: CONSUMERS,
      apart_mib: round(apartMib, 0),
      merge_window_ms: windowMs,
      record_bytes: 1_024,
      codec: 'lz4',
    },
    machine: await describeMachine(),
  });
}

await main();
