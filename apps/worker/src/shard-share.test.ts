import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { createLogger, SHARDS, shardOf, shardSql, withAccess } from '@penstock/platform';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ShardShare, sharesOf } from './shard-share.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.ownerUrl, max: 4, ...withAccess('worker') });
  // Dropping the database breaks connections that are still closing.
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test.each([1, 2, 3, 5, SHARDS, SHARDS + 4])('%i workers cover each shard once, evenly', (count) => {
  const workers = Array.from({ length: count }, (_, number) => `worker-${number}`);
  const shares = workers.map((worker) => sharesOf(workers, worker));
  expect(shares.flat().sort((left, right) => left - right)).toEqual(everyShard);
  const sizes = shares.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
});

test('a worker that is not listed yet counts itself', () => {
  expect(sharesOf([], 'a')).toEqual(everyShard);
  expect(sharesOf(['b'], 'a')).toEqual(sharesOf(['a', 'b'], 'a'));
});

test('PostgreSQL finds the same shard as we do', async () => {
  const { rows } = await pool.query<{ id: string; shard: number }>(
    `SELECT id::text, ${shardSql('id')} AS shard FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 200)) AS ids`,
  );
  expect(rows.map(({ id }) => shardOf(id))).toEqual(rows.map(({ shard }) => shard));
  expect(new Set(rows.map(({ shard }) => shard)).size).toBeGreaterThan(SHARDS / 2);
});

test('workers share the shards, and take those of one that left', async () => {
  const one = await ShardShare.join(pool, logger);
  expect(one.own).toEqual(everyShard);
  expect(one.foreignFlags).toEqual([]);
  const other = await ShardShare.join(pool, logger);
  expect(other.own).toHaveLength(SHARDS / 2);
  await expect.poll(() => one.own, { timeout: 60_000 }).toHaveLength(SHARDS / 2);
  expect([...one.own, ...other.own].sort((left, right) => left - right)).toEqual(everyShard);
  expect(one.foreignFlags).toEqual(other.own.map((shard) => `shard-${shard}`));
  await other.leave();
  expect(other.own).toEqual([]);
  await expect.poll(() => one.own, { timeout: 60_000 }).toEqual(everyShard);
  await one.leave();
});

test('a killed worker’s shards go to the others', async () => {
  await pool.query(`INSERT INTO worker_process (id, seen_at) VALUES ('0', clock_timestamp() - interval '1 minute')`);
  const one = await ShardShare.join(pool, logger);
  expect(one.own).toEqual(everyShard);
  await one.leave();
});
