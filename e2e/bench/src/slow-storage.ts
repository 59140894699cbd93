// Object storage with the latencies of a real one: S3 servers on this machine, each behind a TLS proxy that holds answers back.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { makeCertificates, type TlsFiles } from '../../clients/support/certificates.ts';
import { allS3Operations, type S3Server, startS3Server } from '../../clients/support/s3-server.ts';
import { nativeGenerator } from './agent-load.ts';

/** Median and 99th percentile of a request, in ms. Bytes take the time on top that the server on this machine needs. */
export interface StorageLatency {
  putMs: readonly [p50: number, p99: number];
  getMs: readonly [p50: number, p99: number];
}

/**
 * Assumed latencies of S3 Standard for files of a few MiB, and of S3 Express One Zone within a zone. We have not measured them.
 */
export const storageLatencies = {
  standard: { putMs: [100, 300], getMs: [30, 150] },
  express: { putMs: [10, 25], getMs: [5, 15] },
} as const satisfies Record<string, StorageLatency>;

export type StorageProfile = keyof typeof storageLatencies;

/** The S3 server as agents reach it through the proxy. */
export interface SlowStorage {
  s3: S3Server;
  /** Environment of an agent, in place of that of the server itself. */
  agentEnv: Record<string, string>;
  stop(): Promise<void>;
}

/** One bucket with this latency. */
export async function startSlowStorage(latency: StorageLatency): Promise<SlowStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-slow-storage-'));
  const certificates = await makeCertificates(folder);
  const bucket = await startBucket(latency, certificates);
  return {
    s3: bucket.s3,
    agentEnv: { AWS_ENDPOINT_URL: bucket.url, SSL_CERT_FILE: certificates.authority },
    stop: async () => {
      await bucket.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const LANDING_ZONES = ['zone-a', 'zone-b', 'zone-c'] as const;

/**
 * The buckets of low-latency mode: one of S3 Standard, and a landing bucket in each of three zones. The agent is in the first zone. The
 * landing buckets of the other zones are as fast as its own.
 */
export async function startLandingStorage(): Promise<SlowStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-slow-storage-'));
  const certificates = await makeCertificates(folder);
  const standard = await startBucket(storageLatencies.standard, certificates);
  const landing = await Promise.all(LANDING_ZONES.map(() => startBucket(storageLatencies.express, certificates)));
  const options = landing.map(
    ({ s3, url }, index) => `${LANDING_ZONES[index]}=s3://${s3.bucket}/cluster?endpoint=${encodeURIComponent(url)}`,
  );
  return {
    s3: standard.s3,
    agentEnv: {
      AWS_ENDPOINT_URL: standard.url,
      SSL_CERT_FILE: certificates.authority,
      PENSTOCK_ZONE: LANDING_ZONES[0],
      PENSTOCK_LANDING_BUCKET: options.join(';'),
    },
    stop: async () => {
      await Promise.all([standard, ...landing].map((bucket) => bucket.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface SlowBucket {
  s3: S3Server;
  /** The URL of the proxy. */
  url: string;
  stop(): Promise<void>;
}

async function startBucket({ putMs, getMs }: StorageLatency, { certificate, key }: TlsFiles): Promise<SlowBucket> {
  const s3 = await startS3Server();
  await s3.account.allow(allS3Operations);
  const port = await freePort();
  const server = new URL(s3.endpoint).host;
  const args = ['--bootstrap', server, 'slow-storage', '--listen', `127.0.0.1:${port}`];
  const times = ['--put-ms', putMs.join(','), '--get-ms', getMs.join(',')];
  const proxy = spawn(await nativeGenerator(), [...args, '--certificate', certificate, '--key', key, ...times], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await ready(proxy);
  return {
    s3,
    url: `https://127.0.0.1:${port}`,
    stop: async () => {
      const answers = await stopProxy(proxy);
      console.log(`Storage of ${putMs[0]} ms: ${describeAnswers(answers)}`);
      await s3.stop();
    },
  };
}

/** Counts of the responses that a proxy has forwarded. */
interface ProxyAnswers {
  puts: number;
  others: number;
  /** Those that the S3 server gave later than the time that was drawn for them. */
  late: number;
}

async function stopProxy(proxy: ChildProcess): Promise<ProxyAnswers> {
  let printed = '';
  proxy.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const closed = new Promise((resolve) => proxy.once('close', resolve));
  proxy.stdin?.write('\n');
  await closed;
  return JSON.parse(printed) as ProxyAnswers;
}

/** Latencies are those of the profile only as long as few answers are late. */
function describeAnswers({ puts, others, late }: ProxyAnswers): string {
  const latePercent = (100 * late) / Math.max(1, puts + others);
  return `${puts} PUTs and ${others} other requests; ${latePercent.toFixed(1)} % of the answers came later than drawn, because the server on this machine took longer`;
}

function ready(proxy: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    proxy.stdout?.once('data', () => resolve());
    proxy.once('exit', (code) => reject(new Error(`The storage proxy ended with ${code}`)));
  });
}
