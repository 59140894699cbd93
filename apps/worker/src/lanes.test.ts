import { EventEmitter } from 'node:events';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { Logger } from 'graphile-worker';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionsFor, startLanes } from './lanes.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.ownerUrl, max: connectionsFor(2, 2) + 1 });
  // Dropping the database breaks connections that are still closing.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a slow job does not delay other lanes; foreign jobs wait', async () => {
  const done: unknown[] = [];
  const slow = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  let foreign = ['shard-3'];
  const lanes = await startLanes(
    [
      { tasks: { quick: async (payload) => void done.push(payload) }, slots: 1, foreignFlags: () => foreign },
      {
        tasks: {
          slow: () => {
            began.resolve();
            return slow.promise;
          },
        },
        slots: 1,
      },
    ],
    { pool, logger: new Logger(() => () => undefined), events: new EventEmitter() },
  );
  try {
    await lanes.addJob('slow', {});
    await began.promise;
    await lanes.addJob('quick', { shard: 3 }, { flags: ['shard-3'] });
    await lanes.addJob('quick', { shard: 4 }, { flags: ['shard-4'] });
    await lanes.addJob('quick', {});
    await expect.poll(() => done, { timeout: 60_000 }).toEqual([{ shard: 4 }, {}]);
    foreign = [];
    await expect.poll(() => done, { timeout: 60_000 }).toEqual([{ shard: 4 }, {}, { shard: 3 }]);
  } finally {
    slow.resolve();
    await lanes.stop();
  }
});
