import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { renderOpenMetrics } from '@penstock/telemetry';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReplicationWatch } from './replication-watch.ts';
import { silentLogger } from './testing/cluster-fixture.ts';
import { ManualClock } from './testing/manual-clock.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A logger that records its entries. */
function recordingLogger() {
  const logged: { level: string; replication: unknown }[] = [];
  const keep = (level: string) => (facts: { replication: unknown }) =>
    logged.push({ level, replication: facts.replication });
  return { logged, logger: Object.assign(Object.create(silentLogger), { info: keep('info'), warn: keep('warn') }) };
}

// In the log only on changes, in the metrics and on the readiness page always.
test('reports how the database is replicated', async () => {
  const { logged, logger } = recordingLogger();
  const watch = new ReplicationWatch(new Map([['main', pool]]), new ManualClock(), logger);
  await watch.check();
  await watch.check();
  expect(logged).toEqual([{ level: 'info', replication: 'single' }]);
  expect(watch.describe()).toBe('replication of cell main: single (no standby is connected)');
  const text = renderOpenMetrics([watch.metrics()]);
  expect(text).toContain('penstock_metadata_replication{cell="main",penstock_metadata_replication="single"} 1\n');
  expect(text).toContain('penstock_metadata_replication{cell="main",penstock_metadata_replication="asynchronous"} 0\n');
  watch.stop();
});

test('a database whose commits wait for nothing causes a warning', async () => {
  const { logged, logger } = recordingLogger();
  const careless = new Pool({ connectionString: database.url, max: 1, options: '-c synchronous_commit=off' });
  const watch = new ReplicationWatch(new Map([['main', careless]]), new ManualClock(), logger);
  await watch.check();
  expect(logged[0]).toEqual({ level: 'warn', replication: 'asynchronous' });
  watch.stop();
  await careless.end();
});
