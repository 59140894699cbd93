// One measured run of the load generator against one server, Penstock or Apache Kafka: the same program, the same load.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
  /** Produce or Fetch requests of the clients. */
  requestsPerGib: number;
  /** What a produced batch had on average, compressed. */
  batchBytes: number | undefined;
  p50Ms: number | undefined;
  p99Ms: number | undefined;
}

interface LoadOutput {
  records: number;
  seconds: number;
  requests: number;
  batch_bytes?: number;
  p50_ms?: number;
  p99_ms?: number;
}

let classPath: Promise<string> | undefined;

/** Runs the generator. `onReady` runs when it has prepared everything; the load begins after that. */
async function load(args: string[], onReady: () => Promise<void> = async () => undefined): Promise<string> {
  classPath ??= javaClassPath(join(import.meta.dirname, '../java/Load.java'));
  const child = spawn('java', ['-Xmx2g', '-XX:+UseParallelGC', '-cp', await classPath, 'Load', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
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

export async function createTopic(server: Server, topic: string, partitions: number): Promise<void> {
  await load(['create', server.bootstrap, topic, String(partitions)]);
}

async function measured(server: Server, args: string[]): Promise<LoadResult> {
  const usage = async () => ({ cpu: await cpuSeconds(server.pid), requests: await server.objectRequests() });
  let before = await usage();
  const lastLine = await load(args, async () => {
    before = await usage();
  });
  const after = await usage();
  const output = JSON.parse(lastLine) as LoadOutput;
  const gib = output.records / recordsPerGib;
  const perGib = (kind: keyof ObjectRequests): number | undefined =>
    before.requests === undefined || after.requests === undefined
      ? undefined
      : (after.requests[kind] - before.requests[kind]) / gib;
  return {
    mibPerS: output.records / recordsPerMib / output.seconds,
    cpuSPerGib: (after.cpu - before.cpu) / gib,
    putsPerGib: perGib('puts'),
    getsPerGib: perGib('gets'),
    requestsPerGib: output.requests / gib,
    batchBytes: output.batch_bytes,
    p50Ms: output.p50_ms,
    p99Ms: output.p99_ms,
  };
}

export interface ProduceLoad {
  producers: number;
  /** Sent to the same topic beforehand, at full speed: servers and clients are warm, and every partition is in use. */
  warmUpMib: number;
  mib: number;
  /** 0: as fast as it goes. */
  mibPerS: number;
}

export function produce(server: Server, topic: string, load: ProduceLoad): Promise<LoadResult> {
  const records = (mib: number): string => String(Math.round(mib * recordsPerMib));
  const { producers, warmUpMib, mib, mibPerS } = load;
  const sizes = [records(warmUpMib), records(mib), String(mibPerS)];
  return measured(server, ['produce', server.bootstrap, topic, String(producers), ...sizes]);
}

export function consume(server: Server, topic: string, consumers: number, mib: number): Promise<LoadResult> {
  const records = Math.round(mib * recordsPerMib);
  return measured(server, ['consume', server.bootstrap, topic, String(consumers), String(records)]);
}
