// The metadata service and the worker as separate processes, so that the usage of each can be measured.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const metadataMain = fileURLToPath(import.meta.resolve('@penstock/metadata/main'));
const workerMain = fileURLToPath(new URL('../../../../apps/worker/src/main.ts', import.meta.url));

export interface Program {
  pid: number;
  stop(): Promise<void>;
}

/** Starts the metadata service; resolves when it responds. */
export async function startMetadata(databaseUrl: string): Promise<Program & { rpcUrl: string }> {
  const child = start(metadataMain, {
    DATABASE_URL: databaseUrl,
    PENSTOCK_METADATA_HOST: '127.0.0.1',
    PENSTOCK_METADATA_PORT: '0',
    PENSTOCK_METADATA_HTTP_PORT: '0',
    PENSTOCK_METADATA_ADMIN_LISTEN: '127.0.0.1:0',
    PENSTOCK_ADMIN_KEYS: `1:${randomUUID()}`,
    PENSTOCK_BROWSE_KEYS: `1:${randomUUID()}`,
    PENSTOCK_PEER_KEYS: `1:${randomUUID()}`,
  });
  const rpcUrl = await waitFor(child, (line) => (JSON.parse(line) as { rpcUrl?: string }).rpcUrl);
  return { ...programOf(child), rpcUrl };
}

/**
 * Starts the worker; resolves when it accepts jobs.
 * @param environment further settings
 * @param nodeOptions such as `--cpu-prof`
 */
export async function startWorker(
  databaseUrl: string,
  environment: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<Program> {
  const child = start(
    workerMain,
    { DATABASE_URL: databaseUrl, PENSTOCK_EMBEDDED: '1', PENSTOCK_AUTH_SECRET: randomUUID(), ...environment },
    nodeOptions,
  );
  await waitFor(child, (line) => (line.includes('The worker takes jobs') ? line : undefined));
  return programOf(child);
}

function start(main: string, environment: Record<string, string>, nodeOptions: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...nodeOptions, main], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function waitFor(child: ChildProcess, find: (line: string) => string | undefined): Promise<string> {
  if (child.stdout === null) {
    throw new Error('the program was started without its output');
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const found = find(line);
    if (found === undefined) {
      continue;
    }
    // The rest of its log is ignored, but must be read so that the pipe does not fill.
    child.stdout.resume();
    return found;
  }
  throw new Error('a program ended while starting');
}

function programOf(child: ChildProcess): Program {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
