// Object storage with the latencies of a real one: an S3 server on this machine behind a TLS proxy that holds answers back.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/testing/free-port';
import { makeCertificates } from '../../../e2e/clients/support/certificates.ts';
import { allS3Operations, type S3Server, startS3Server } from '../../../e2e/clients/support/s3-server.ts';
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

export async function startSlowStorage({ putMs, getMs }: StorageLatency): Promise<SlowStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-slow-storage-'));
  const { authority, certificate, key } = await makeCertificates(folder);
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
    agentEnv: { AWS_ENDPOINT_URL: `https://127.0.0.1:${port}`, SSL_CERT_FILE: authority },
    stop: async () => {
      const ended = new Promise((resolve) => proxy.once('exit', resolve));
      proxy.stdin?.write('\n');
      await ended;
      await s3.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function ready(proxy: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    proxy.stdout?.once('data', () => resolve());
    proxy.once('exit', (code) => reject(new Error(`The storage proxy ended with ${code}`)));
  });
}
