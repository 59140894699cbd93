// One measured run of the load generator against one server, Penstock or Apache Kafka: the same program, the same load.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { javaClassPath } from '../../../infra/local/tools.ts';
import { cpuSeconds } from './process-usage.ts';

const recordBytes = 1_024;
const recordsPerGib = 1024 ** 3 / recordBytes;
const recordsPerMib = 1024 ** 2 / recordBytes;

/** The server under load. */
export interface Server {
  name: string;
  bootstrap: string;
  pid: number;
  /** Requests that it has sent to object storage so far; undefined for a server without object storage. */
  objectRequests(): Promise<ObjectRequests | undefined>;
}

export interface ObjectRequests {
  puts: number;
  gets: number;
}

export interface LoadResult {
  mibPerS: number;
  /** CPU time of the server, user and kernel, per uncompressed GiB. */
  cpuSPerGib: number;
  putsPerGib: number | undefined;
  getsPerGib: number | undefined;
  p50Ms: number | undefined;
  p99Ms: number | undefined;
}

interface LoadOutput {
  records: number;
  seconds: number;
  p50_ms?: number;
  p99_ms?: number;
}

let classPath: Promise<string> | undefined;

async function load(args: string[]): Promise<LoadOutput> {
  classPath ??= javaClassPath(join(import.meta.dirname, '../java/Load.java'));
  const child = spawn('java', ['-Xmx2g', '-XX:+UseParallelGC', '-cp', await classPath, 'Load', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) {
    throw new Error(`The load generator failed (${args.join(' ')}):\n${errors.slice(-3_000)}`);
  }
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as LoadOutput;
}

export async function createTopic(server: Server, topic: string, partitions: number): Promise<void> {
  await load(['create', server.bootstrap, topic, String(partitions)]);
}

async function measured(server: Server, args: string[]): Promise<LoadResult> {
  const [cpuBefore, requestsBefore] = [await cpuSeconds(server.pid), await server.objectRequests()];
  const output = await load(args);
  const [cpuAfter, requestsAfter] = [await cpuSeconds(server.pid), await server.objectRequests()];
  const gib = output.records / recordsPerGib;
  const perGib = (kind: keyof ObjectRequests): number | undefined =>
    requestsBefore === undefined || requestsAfter === undefined
      ? undefined
      : (requestsAfter[kind] - requestsBefore[kind]) / gib;
  return {
    mibPerS: output.records / recordsPerMib / output.seconds,
    cpuSPerGib: (cpuAfter - cpuBefore) / gib,
    putsPerGib: perGib('puts'),
    getsPerGib: perGib('gets'),
    p50Ms: output.p50_ms,
    p99Ms: output.p99_ms,
  };
}

export interface ProduceLoad {
  producers: number;
  mib: number;
  /** 0: as fast as it goes. */
  mibPerS: number;
}

export function produce(server: Server, topic: string, { producers, mib, mibPerS }: ProduceLoad): Promise<LoadResult> {
  const records = Math.round(mib * recordsPerMib);
  return measured(server, ['produce', server.bootstrap, topic, String(producers), String(records), String(mibPerS)]);
}

export function consume(server: Server, topic: string, consumers: number, mib: number): Promise<LoadResult> {
  const records = Math.round(mib * recordsPerMib);
  return measured(server, ['consume', server.bootstrap, topic, String(consumers), String(records)]);
}
