// An S3 server (versitygw over a folder) for tests and benchmarks of s3:// buckets.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { versitygw } from '../../../infra/local/tools.ts';
import { run, until } from './run.ts';
import { fetchS3 } from './sign-s3.ts';

export interface S3Server {
  endpoint: string;
  bucket: string;
  /** The bucket's folder: an object is a file. */
  folder: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket and the settings of an agent that uses the account below, through a proxy if its URL is given. */
  forAgents(url?: string): { bucket: string; env: Record<string, string> };
  /** An account with no rights but those of the bucket's policy: none until it is set. */
  account: {
    accessKeyId: string;
    secretAccessKey: string;
    /** Replaces the policy: allows these operations on objects below the prefix, and listing on the bucket. */
    allow(operations: readonly S3Operation[]): Promise<void>;
  };
  /** kill -9. Stored objects stay. */
  kill(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** After a kill: the same objects, on the same port. */
  restart(): Promise<void>;
  /** Names of all objects, read from the server's folder; the server need not run. */
  objects(): Promise<string[]>;
  stop(): Promise<void>;
}

export type S3Operation = 'PutObject' | 'GetObject' | 'DeleteObject' | 'ListBucket';
export const allS3Operations: readonly S3Operation[] = ['PutObject', 'GetObject', 'DeleteObject', 'ListBucket'];

export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-s3-'));
  const bucket = 'penstock-records';
  const accounts = await mkdtemp(join(tmpdir(), 'penstock-s3-accounts-'));
  // A folder is a bucket.
  await mkdir(join(folder, bucket));
  const port = await freePort();
  const [accessKeyId, secretAccessKey] = ['penstock-test', 'penstock-test-secret'];
  const endpoint = `http://127.0.0.1:${port}`;
  const program = await versitygw();
  const start = async (): Promise<ChildProcess> => {
    const args = [
      ...['--access', accessKeyId, '--secret', secretAccessKey, '--port', `127.0.0.1:${port}`],
      ...['--iam-dir', accounts, 'posix', folder],
    ];
    const started = spawn(program, args, { stdio: 'ignore' });
    await until('the S3 server answers', () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    );
    return started;
  };
  let server = await start();
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) {
      return;
    }
    const exited = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await exited;
  };
  const root = { accessKeyId, secretAccessKey };
  const account = { accessKeyId: 'penstock-agent', secretAccessKey: 'penstock-agent-secret' };
  await createAccount(endpoint, root, account);
  return {
    endpoint,
    bucket,
    folder: join(folder, bucket),
    ...root,
    forAgents: (url = endpoint) => ({
      bucket: `s3://${bucket}/cluster`,
      env: {
        AWS_ACCESS_KEY_ID: account.accessKeyId,
        AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
        AWS_REGION: 'us-east-1',
        AWS_ENDPOINT_URL: url,
        AWS_ALLOW_HTTP: 'true',
      },
    }),
    account: {
      ...account,
      allow: (operations) => putPolicy(`${endpoint}/${bucket}`, root, account.accessKeyId, operations),
    },
    kill: () => end('SIGKILL'),
    signal: (signal) => void server.kill(signal),
    restart: async () => {
      server = await start();
    },
    objects: () => filesBelow(join(folder, bucket)),
    stop: async () => {
      await end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
      await rm(accounts, { recursive: true, force: true });
    },
  };
}

/** The server removes empty folders, possibly during the read. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
    return [];
  });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    }),
  );
  return found.flat();
}

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

async function createAccount(endpoint: string, root: Credentials, account: Credentials): Promise<void> {
  const as = ['--access', root.accessKeyId, '--secret', root.secretAccessKey, '--endpoint-url', endpoint];
  const user = ['--access', account.accessKeyId, '--secret', account.secretAccessKey, '--role', 'user'];
  await run(await versitygw(), ['admin', ...as, 'create-user', ...user]);
}

async function putPolicy(
  bucketUrl: string,
  root: Credentials,
  principal: string,
  operations: readonly S3Operation[],
): Promise<void> {
  const bucket = new URL(bucketUrl).pathname.slice(1);
  const Statement = operations.map((operation) => ({
    Effect: 'Allow',
    Principal: principal,
    Action: `s3:${operation}`,
    Resource: `arn:aws:s3:::${bucket}${operation === 'ListBucket' ? '' : '/*'}`,
  }));
  const body = JSON.stringify({ Version: '2012-10-17', Statement });
  const answer = await fetchS3({ method: 'PUT', url: `${bucketUrl}?policy=`, body, ...root });
  if (!answer.ok) {
    throw new Error(`the policy was refused: ${answer.status} ${await answer.text()}`);
  }
}
