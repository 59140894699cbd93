import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOURNAL_START } from '../position.ts';
import { PostgresJournal } from '../postgres/postgres-journal.ts';
import { CellJournal } from './cell-journal.ts';
import { Cells } from './cells.ts';
import { Homes } from './homes.ts';

let databases: TestDatabase[];
let cells: Cells;

beforeAll(async () => {
  databases = [await createTestDatabase(), await createTestDatabase()];
  const urls = new Map(databases.map(({ url }, at) => [`cell-${at}`, url]));
  cells = new Cells(urls, (connectionString) => new Pool({ connectionString, max: 2 }));
});

afterAll(async () => {
  await cells.close();
  for (const database of databases) {
    await database.drop();
  }
});

test('finds entries that moved to another cell', async () => {
  let home = 'cell-0';
  const homes = new Homes({ cellOf: async () => home, move: async () => undefined });
  const journal = new CellJournal(cells, homes);
  const cluster = { clusterId: crypto.randomUUID(), organizationId: 'org' };
  const first = await journal.append(cluster, JOURNAL_START, Buffer.from('one'));
  // The cluster moves, and continues there.
  const target = new PostgresJournal(cells.pool('cell-1'));
  await target.append(cluster, JOURNAL_START, Buffer.from('one'));
  const second = await target.append(cluster, first, Buffer.from('two'));
  home = 'cell-1';
  expect(await journal.statusOf(cluster.clusterId, second)).toEqual({ kind: 'held' });
  expect(await journal.statusOf(cluster.clusterId, { ...second, seq: 3 })).toMatchObject({ kind: 'lost' });
});
