// One measured run of the load generator against one server, Penstock or Apache Kafka, with the same program and load.
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { root } from '../../../infra/local/paths.ts';
import { javaClassPath } from '../../../infra/local/tools.ts';
import { cpuSeconds } from './process-usage.ts';

const RECORD_BYTES = 1_024;
const recordsPerGib = 1024 ** 3 / RECORD_BYTES;
const recordsPerMib = 1024 ** 2 / RECORD_BYTES;

/** The server under load. */
export interface Server {
  name: string;
  bootstrap: string;
  /** How the native clients reach it; default: in the clear, without signing in. */
  access?: ClientAccess;
  pid: number;
  /** Requests sent to object storage so far; undefined for a server without object storage. */
  objectRequests(): Promise<ObjectRequests | undefined>;
}

/** TLS and SASL/PLAIN of the native clients. */
export interface ClientAccess {
  /** PEM file with the authority of the server's certificate. */
  caFile: string;
  user?: { name: string; password: string };
}

export interface ObjectRequests {
  puts: number;
  gets: number;
  /** To landing buckets, which the two above leave out. 0 outside of low-latency mode. */
  landingPuts: number;
  landingGets: number;
  /** Files of low-latency mode that went to the standard bucket because no two landing buckets took them. */
  landingFallbacks: number;
}

export interface LoadResult {
  records: number;
  /** Size of the batches as sent or received; undefined with the Java clients. */
  bytes: number | undefined;
  mibPerS: number;
  /** CPU time of the server, user and kernel, per uncompressed GiB. Merge jobs run on another agent. */
  cpuSPerGib: number;
  putsPerGib: number | undefined;
  getsPerGib: number | undefined;
  landingPutsPerGib: number | undefined;
  landingGetsPerGib: number | undefined;
  landingFallbacks: number | undefined;
  /** Produce or Fetch requests of the clients. */
  requestsPerGib: number;
  /** The mean compressed size of a produced batch. */
  batchBytes: number | undefined;
  p50Ms: number | undefined;
  p99Ms: number | undefined;
  /** From a record's creation to its arrival at a consumer; only where consumers read meanwhile. */
  endToEndP50Ms: number | undefined;
  endToEndP99Ms: number | undefined;
}

interface LoadOutput {
  records: number;
  seconds: number;
  requests: number;
  bytes?: number;
  batch_bytes?: number;
  p50_ms?: number;
  p99_ms?: number;
  end_to_end_p50_ms?: number;
  end_to_end_p99_ms?: number;
}

/**
 * The client implementation. `native` (e2e/bench/load) uses so little CPU that the server under load has the rest. `java`
 * (java/Load.java) uses Apache Kafka's own clients; 64 of them take most of two cores, which makes every server look slower and more
 * expensive than it is.
 */
export type Clients = 'native' | 'java';

/** Producer settings of the published 288-partition run of the Open Messaging Benchmark framework. */
export const LINGER_MS = 25;
export const BATCH_BYTES = 100_000;

/** @throws Error for any other value of PENSTOCK_BENCH_CLIENTS */
export function chosenClients(): Clients {
  const chosen = process.env['PENSTOCK_BENCH_CLIENTS'] ?? 'native';
  if (chosen !== 'native' && chosen !== 'java') {
    throw new Error(`PENSTOCK_BENCH_CLIENTS is native or java, not "${chosen}"`);
  }
  return chosen;
}

interface Generator {
  command: string;
  prefix: string[];
}

let generator: Promise<Generator> | undefined;

/** The program of the native clients. */
export async function nativeGenerator(): Promise<string> {
  const workspace = join(root, 'apps/agent');
  await promisify(execFile)('cargo', ['build', '--release', '--locked', '--package', 'penstock-load'], {
    cwd: workspace,
  });
  return join(workspace, 'target/release/penstock-load');
}

async function findGenerator(): Promise<Generator> {
  if (chosenClients() === 'java') {
    const classPath = await javaClassPath(join(import.meta.dirname, '../java/Load.java'));
    return { command: 'java', prefix: ['-Xmx2g', '-XX:+UseParallelGC', '-cp', classPath, 'Load'] };
  }
  return { command: await nativeGenerator(), prefix: [] };
}

/** Runs the generator. `onReady` runs when preparation is complete; the load begins after that. */
async function load(
  { bootstrap, access }: Pick<Server, 'bootstrap' | 'access'>,
  topic: string,
  command: string,
  settings: Record<string, number | string>,
  onReady: () => Promise<void> = async () => undefined,
): Promise<string> {
  generator ??= findGenerator();
  const { command: program, prefix } = await generator;
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const args = [...prefix, '--bootstrap', bootstrap, ...accessOptions(access), '--topic', topic, command, ...options];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let lastLine = '';
  for await (const line of createInterface({ input: child.stdout })) {
    lastLine = line;
    if (line === 'ready') {
      await onReady();
      child.stdin.write('\n');
    }
  }
  if ((await ended) !== 0) {
    throw new Error(`The load generator failed (${args.join(' ')}):\n${errors.slice(-3_000)}`);
  }
  return lastLine;
}

/** The load generator's options for this access. */
export function accessOptions(access: ClientAccess | undefined): string[] {
  if (access === undefined) {
    return [];
  }
  const { caFile, user } = access;
  return ['--ca', caFile, ...(user === undefined ? [] : ['--credentials', `${user.name}:${user.password}`])];
}

export async function createTopic(server: Server, topic: string, partitions: number): Promise<void> {
  await load(server, topic, 'create', { partitions });
}

async function measured(
  server: Server,
  topic: string,
  command: string,
  settings: Record<string, number | string>,
): Promise<LoadResult> {
  const usage = async () => ({ cpu: await cpuSeconds(server.pid), requests: await server.objectRequests() });
  let before = await usage();
  const lastLine = await load(server, topic, command, settings, async () => {
    before = await usage();
  });
  const after = await usage();
  const output = JSON.parse(lastLine) as LoadOutput;
  const gib = output.records / recordsPerGib;
  const sent = (kind: keyof ObjectRequests): number | undefined =>
    before.requests && after.requests && after.requests[kind] - before.requests[kind];
  const perGib = (kind: keyof ObjectRequests): number | undefined => {
    const count = sent(kind);
    return count === undefined ? undefined : count / gib;
  };
  return {
    records: output.records,
    bytes: output.bytes,
    mibPerS: output.records / recordsPerMib / output.seconds,
    cpuSPerGib: (after.cpu - before.cpu) / gib,
    putsPerGib: perGib('puts'),
    getsPerGib: perGib('gets'),
    landingPutsPerGib: perGib('landingPuts'),
    landingGetsPerGib: perGib('landingGets'),
    landingFallbacks: sent('landingFallbacks'),
    requestsPerGib: output.requests / gib,
    batchBytes: output.batch_bytes,
    p50Ms: output.p50_ms,
    p99Ms: output.p99_ms,
    endToEndP50Ms: output.end_to_end_p50_ms,
    endToEndP99Ms: output.end_to_end_p99_ms,
  };
}

/** How the native clients compress. */
export const codecs = ['none', 'snappy', 'lz4', 'zstd'] as const;
export type Codec = (typeof codecs)[number];

export interface ProduceLoad {
  producers: number;
  /** Sent to the same topic beforehand at full speed, so that servers and clients are warm and every partition is in use. */
  warmUpMib: number;
  mib: number;
  /** MiB per second; 0 for unlimited. */
  mibPerS: number;
  /** Codec of the native clients. Default: LZ4, like all others. */
  codec?: Codec;
}

/** The load generator's options for this load. */
function produceOptions(load: ProduceLoad): Record<string, number | string> {
  return {
    producers: load.producers,
    'warm-up-records': Math.round(load.warmUpMib * recordsPerMib),
    records: Math.round(load.mib * recordsPerMib),
    'mib-per-s': load.mibPerS,
    'linger-ms': LINGER_MS,
    'batch-bytes': BATCH_BYTES,
    ...(load.codec === undefined ? {} : { codec: load.codec }),
  };
}

export function produce(server: Server, topic: string, load: ProduceLoad): Promise<LoadResult> {
  return measured(server, topic, 'produce', produceOptions(load));
}

export interface StreamLoad extends ProduceLoad {
  /** That share the partitions and read while records are sent. */
  consumers: number;
  /** How often every record is read. */
  fanOut: number;
  partitioner: 'sticky' | 'round-robin' | 'own';
  /** Requests of a producer. */
  inFlight: number;
}

/** The default of the Java client, `max.in.flight.requests.per.connection`. */
export const IN_FLIGHT = 5;

/**
 * Producers and consumers at once.
 * @throws Error for a load that the Java clients cannot send
 */
export async function stream(server: Server, topic: string, load: StreamLoad): Promise<LoadResult> {
  const isPlain = load.fanOut === 1 && load.partitioner === 'sticky' && load.inFlight === IN_FLIGHT;
  if (chosenClients() === 'java' && !isPlain) {
    throw new Error('The Java clients read every record once and have the default partitioner and requests in flight');
  }
  return await measured(server, topic, 'stream', {
    ...produceOptions(load),
    consumers: load.consumers,
    'fan-out': load.fanOut,
    partitioner: load.partitioner,
    'in-flight': load.inFlight,
  });
}

export interface ConsumeLoad {
  consumers: number;
  /** Read beforehand, from the beginning, so that caches and sockets have their memory. */
  warmUpMib: number;
  /** Bytes in the topic. */
  mib: number;
  /** A consumer starts when this much more has been read than when the previous one started. Default: all start at once. */
  apartMib?: number;
}

export function consume(server: Server, topic: string, load: ConsumeLoad): Promise<LoadResult> {
  return measured(server, topic, 'consume', {
    consumers: load.consumers,
    'warm-up-records': Math.round(load.warmUpMib * recordsPerMib),
    records: Math.round(load.mib * recordsPerMib),
    'records-apart': Math.round((load.apartMib ?? 0) * recordsPerMib),
  });
}
