import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPrismaClient, type Database } from '@penstock/database/client';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProbes, type Probes } from './probes.ts';

let database: TestDatabase;
let client: Database;

beforeAll(async () => {
  database = await createTestDatabase({ isFlushed: false });
  client = createPrismaClient(database.url, 1, 'accounts');
});

afterAll(async () => {
  await client?.$disconnect();
  await database?.drop();
});

async function ask(probes: Probes, path: string): Promise<[status: number, text: string]> {
  const server = createServer((request, response) => {
    if (!probes.answer(request, response)) {
      response.writeHead(404).end('a page\n');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  const answer: [number, string] = [response.status, await response.text()];
  server.close();
  return answer;
}

async function asOwner(sql: string): Promise<void> {
  const owner = createPrismaClient(database.ownerUrl, 1);
  try {
    await owner.$executeRawUnsafe(sql);
  } finally {
    await owner.$disconnect();
  }
}

test('probes answer before pages, and nothing else does', async () => {
  const probes = createProbes(client);
  expect(await ask(probes, '/healthz')).toEqual([200, 'ok\n']);
  expect(await ask(probes, '/readyz?verbose')).toEqual([200, 'ready\n']);
  expect(await ask(probes, '/readyz/more')).toEqual([404, 'a page\n']);
});

test('a process that leaves is alive and not ready', async () => {
  const probes = createProbes(client);
  probes.leave();
  expect(await ask(probes, '/readyz')).toEqual([503, 'shutting down\n']);
  expect(await ask(probes, '/healthz')).toEqual([200, 'ok\n']);
});

test('an older schema is not ready, and names the command', async () => {
  const newest = '(SELECT max(migration_name) FROM _prisma_migrations)';
  await asOwner(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${newest}`);
  const probes = createProbes(client);
  const [status, text] = await ask(probes, '/readyz');
  expect([status, text]).toEqual([
    503,
    expect.stringMatching(
      /^the database schema is at \d{14}_\w+, and this version needs \d{14}_\w+: run `npm run admin -- database migrate`\n$/,
    ),
  ]);
  await asOwner(`UPDATE _prisma_migrations SET finished_at = now() WHERE migration_name = ${newest}`);
  expect(await ask(probes, '/readyz')).toEqual([200, 'ready\n']);
});

test('a database that does not answer is not ready', async () => {
  const unreachable = createPrismaClient('postgresql://nobody@127.0.0.1:1/none', 1, 'accounts');
  expect(await ask(createProbes(unreachable), '/readyz')).toEqual([503, 'the database does not answer\n']);
  await unreachable.$disconnect();
});
