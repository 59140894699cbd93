// An S3 server (versitygw over a folder) for the test of s3:// buckets.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/testing/free-port';
import { versitygw } from '../../../infra/local/tools.ts';
import { until } from './run.ts';

export interface S3Server {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop(): Promise<void>;
}

export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-s3-'));
  const bucket = 'penstock-records';
  // A folder is a bucket.
  await mkdir(join(folder, bucket));
  const port = await freePort();
  const [accessKeyId, secretAccessKey] = ['penstock-test', 'penstock-test-secret'];
  const server: ChildProcess = spawn(
    await versitygw(),
    ['--access', accessKeyId, '--secret', secretAccessKey, '--port', `127.0.0.1:${port}`, 'posix', folder],
    { stdio: 'ignore' },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await until('the S3 server answers', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  return {
    endpoint,
    bucket,
    accessKeyId,
    secretAccessKey,
    stop: async () => {
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
