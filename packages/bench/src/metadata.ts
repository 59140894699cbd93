// `npm run bench:metadata`: durable commits of 288 runs per second, through an owner and as SQL, and how long recovery takes.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@penstock/database';
import { freePort, startPostgresServer } from '@penstock/testing';
import { Pool } from 'pg';
import type { Load } from './closed-loop.ts';
import { describeMachine } from './machine.ts';
import { measureOwnedCommits } from './metadata/owned-commits.ts';
import { measureSqlBaseline } from './metadata/sql-baseline.ts';
import { RUNS_PER_COMMIT } from './metadata/workload.ts';

const load: Load = { inFlight: 16, warmUpMs: 2_000, measureMs: Number(process.env['BENCH_MS'] ?? 8_000) };
const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-metadata-'));
const server = await startPostgresServer({
  dataDir: join(folder, 'data'),
  port: await freePort(),
  password: randomBytes(16).toString('hex'),
  logFile: join(folder, 'postgres.log'),
});
const url = server.url('postgres');
await applyMigrations(url);
const pool = new Pool({ connectionString: url, max: 8 });
console.log(await describeMachine(), RUNS_PER_COMMIT);
console.log('owned', await measureOwnedCommits(pool, url, load));
if (!process.env['NO_BASE']) console.log('sql', await measureSqlBaseline(url, load));
await pool.end();
await server.stop();
await rm(folder, { recursive: true });
