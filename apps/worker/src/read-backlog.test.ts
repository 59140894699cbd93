// What waits and what was given up, as a real database has it.
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { newId, withAccess } from '@penstock/platform';
import { makeWorkerUtils } from 'graphile-worker';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBacklog } from './read-backlog.ts';

let database: TestDatabase;
let queue: Pool;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  queue = new Pool({ connectionString: database.url, max: 2 });
  pool = new Pool({ connectionString: database.ownerUrl, max: 2, ...withAccess('worker') });
  const jobs = await makeWorkerUtils({ pgPool: queue });
  await jobs.migrate();
  await jobs.release();
});
afterAll(async () => {
  await Promise.all([queue?.end(), pool?.end()]);
  await database?.drop();
});

test('an empty installation has no backlog', async () => {
  expect(await readBacklog(queue, pool)).toEqual({
    dueJobs: [],
    failedJobs: [],
    outboxes: ['mail', 'webhook', 'stripe'].map((outbox) => ({
      outbox,
      waiting: 0,
      oldestSeconds: 0,
      failedInLastDay: 0,
    })),
    stoppedClusters: 0,
  });
});

test('late jobs, old mails, failures and stops are seen', async () => {
  await queue.query(
    `SELECT graphile_worker.add_job('fold-cluster', run_at => now() - interval '600 s');
     SELECT graphile_worker.add_job('purge-clusters', run_at => now() + interval '1 hour')`,
  );
  await queue.query(
    `SELECT graphile_worker.permanently_fail_jobs(ARRAY[id]) FROM graphile_worker.jobs WHERE task_identifier = 'purge-clusters'`,
  );
  await queue.query(
    `INSERT INTO mail (id, to_address, subject, text, created_at, failed_at) VALUES
       ($1, 'a@example.com', 's', 't', now() - interval '2 hours', NULL),
       ($2, 'b@example.com', 's', 't', now() - interval '2 hours', now() - interval '1 hour'),
       ($3, 'c@example.com', 's', 't', now() - interval '3 days', now() - interval '2 days')`,
    [newId(), newId(), newId()],
  );
  await queue.query(
    `INSERT INTO metadata_stop (cluster_id, number, history, witness, witnessed_seq, witnessed_hash, last_seq, last_hash)
     VALUES ($1, 1, 0, 'a snapshot', 5, '\\x00', 4, '\\x00')`,
    [newId()],
  );
  const { dueJobs, failedJobs, outboxes, stoppedClusters } = await readBacklog(queue, pool);
  expect(dueJobs.find(({ task }) => task === 'fold-cluster')).toMatchObject({ count: 1 });
  expect(dueJobs.find(({ task }) => task === 'fold-cluster')?.oldestSeconds).toBeGreaterThanOrEqual(600);
  expect(dueJobs.find(({ task }) => task === 'purge-clusters')).toMatchObject({ count: 0, oldestSeconds: 0 });
  expect(failedJobs.find(({ task }) => task === 'purge-clusters')).toMatchObject({ count: 1 });
  const [mail] = outboxes;
  expect(mail).toMatchObject({ outbox: 'mail', waiting: 1, failedInLastDay: 1 });
  expect(mail?.oldestSeconds).toBeGreaterThanOrEqual(7_200);
  expect(stoppedClusters).toBe(1);
});
