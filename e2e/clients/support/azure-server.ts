// Azure Blob Storage (Azurite, in memory) for tests of az:// buckets.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { azuriteBlob } from '../../../infra/local/tools.ts';
import type { CloudServer } from './cloud-server.ts';
import { until } from './run.ts';

/** Azurite's own account, which its documentation publishes. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const CONTAINER = 'penstock-records';
const API_VERSION = '2023-11-03';

export async function startAzureServer(): Promise<CloudServer> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-azure-'));
  const port = await freePort();
  const args = [
    ...[await azuriteBlob(), '--blobHost', '127.0.0.1', '--blobPort', String(port)],
    ...['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck'],
  ];
  const server = spawn(process.execPath, args, { stdio: 'ignore', cwd: folder });
  const endpoint = `http://127.0.0.1:${port}/${ACCOUNT}`;
  await until('Azurite answers', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  const made = await signed(endpoint, 'PUT', `/${CONTAINER}`, { restype: 'container' });
  if (made.status !== 201) {
    throw new Error(`Azurite made no container: ${made.status} ${await made.text()}`);
  }
  return {
    agent: {
      bucket: `az://${CONTAINER}/records?endpoint=${endpoint}`,
      env: { AZURE_STORAGE_ACCOUNT_NAME: ACCOUNT, AZURE_STORAGE_ACCOUNT_KEY: KEY },
    },
    objects: async () => {
      const listed = await signed(endpoint, 'GET', `/${CONTAINER}`, { comp: 'list', restype: 'container' });
      return Array.from((await listed.text()).matchAll(/<Name>([^<]+)<\/Name>/g), ([, name]) => name ?? '');
    },
    stop: async () => {
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A request without a body, signed by the account's key.
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
async function signed(
  endpoint: string,
  method: string,
  path: string,
  query: Record<string, string>,
): Promise<Response> {
  const date = new Date().toUTCString();
  const headers = `x-ms-date:${date}\nx-ms-version:${API_VERSION}\n`;
  const parameters = Object.entries(query).map(([name, value]) => `\n${name}:${value}`);
  // The account stands twice: as the account, and as the first part of Azurite's paths.
  const resource = `/${ACCOUNT}/${ACCOUNT}${path}${parameters.join('')}`;
  const text = `${method}${'\n'.repeat(12)}${headers}${resource}`;
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64');
  return fetch(`${endpoint}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: { 'x-ms-date': date, 'x-ms-version': API_VERSION, authorization: `SharedKey ${ACCOUNT}:${signature}` },
  });
}
