// Processes with little memory: the heap limits that V8 gets, and which process opens clusters that do not fit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MIB } from './memory/memory-limit.ts';
import { type AgentConnection, connectAgent } from './testing/agent-client.ts';
import { type ClusterWithKey, ControlPlaneFixture, KEY_VARIABLES } from './testing/control-plane-fixture.ts';
import { startTestServer } from './testing/test-server.ts';

const LEASE_TTL_MS = 5_000;
const main = fileURLToPath(new URL('./main.ts', import.meta.url));

let controlPlane: ControlPlaneFixture;
const endings: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) {
    await end();
  }
});

afterAll(() => controlPlane.drop());

async function metric(httpUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${httpUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

function connect(url: string, cluster: ClusterWithKey): AgentConnection {
  const connection = connectAgent(url, cluster);
  endings.push(() => connection.close());
  return connection;
}

test('starts V8 with its memory limits in the same process', async () => {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: controlPlane.database.ownerUrl,
      PENSTOCK_METADATA_HOST: '127.0.0.1',
      PENSTOCK_METADATA_PORT: '0',
      PENSTOCK_METADATA_HTTP_PORT: '0',
      PENSTOCK_METADATA_ADMIN_LISTEN: '127.0.0.1:0',
      ...KEY_VARIABLES,
      PENSTOCK_METADATA_MEMORY_MIB: '512',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  endings.push(() => void child.kill('SIGKILL'));
  let httpUrl: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const started: { httpUrl?: string; pid?: number } = JSON.parse(line);
    httpUrl = started.httpUrl;
    if (httpUrl !== undefined) {
      expect(started.pid).toBe(child.pid);
      break;
    }
  }
  child.stdout.resume();
  expect(await metric(httpUrl ?? '', 'penstock_metadata_memory_limit_bytes')).toBe(512 * MIB);
  const heapMib = (await metric(httpUrl ?? '', 'penstock_metadata_heap_limit_bytes')) / MIB;
  expect(heapMib).toBeGreaterThan(512 * 0.8);
  expect(heapMib).toBeLessThan(512);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('a full process refuses clusters, and another opens them', async () => {
  const full = await startTestServer(controlPlane.database.ownerUrl, LEASE_TTL_MS, 64);
  endings.push(() => full.close());
  const roomy = await startTestServer(controlPlane.database.ownerUrl, LEASE_TTL_MS);
  endings.push(() => roomy.close());
  const cluster = await controlPlane.createCluster();
  const refused = connect(full.rpcUrl, cluster).client.describeCluster({});
  const error = ConnectError.from(await refused.catch((cause: unknown) => cause));
  expect(error.code).toBe(Code.Unavailable);
  expect(error.message).toMatch(/of its 64 MiB of memory/);
  await connect(roomy.rpcUrl, cluster).client.describeCluster({});
  expect(await metric(full.httpUrl, 'penstock_metadata_clusters_refused_for_memory_total')).toBe(1);
  expect(await metric(full.httpUrl, 'penstock_metadata_memory_used_bytes')).toBeGreaterThan(64 * MIB * 0.6);
  const ready = await fetch(`${full.httpUrl}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.text()).toMatch(/^ready, but this process uses/);
  // The following lines describe the database.
  const [state] = (await (await fetch(`${roomy.httpUrl}/readyz`)).text()).split('\n');
  expect(state).toBe('ready');
});
