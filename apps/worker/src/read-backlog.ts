// What waits in the database for the worker, and what it gave up: read when metrics are read.
import { readStoppedClusters } from '@penstock/metadata-journal';
import type { Pool } from 'pg';

export interface Backlog {
  /** Jobs that are due and that nobody runs, by task. */
  dueJobs: { task: string; count: number; oldestSeconds: number }[];
  /** Jobs that have used up their attempts, by task. */
  failedJobs: { task: string; count: number }[];
  /** Entries that wait to be sent, by outbox: mail, webhook, stripe. */
  outboxes: { outbox: string; waiting: number; oldestSeconds: number; failedInLastDay: number }[];
  stoppedClusters: number;
}

/** The count and the age of the oldest one; 0 if there is none. */
const WAITING = `count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest`;
const A_DAY_AGO = `now() - interval '1 day'`;

/**
 * @param queue a pool of the queue's owner
 * @param pool a pool of the worker's role
 */
export async function readBacklog(queue: Pool, pool: Pool): Promise<Backlog> {
  const [jobs, outboxes, stops] = await Promise.all([
    queue.query<{ task: string; due: number; oldest: number; failed: number }>(
      `SELECT task_identifier AS task,
         count(*) FILTER (WHERE attempts < max_attempts AND run_at <= now() AND locked_at IS NULL)::int AS due,
         coalesce(extract(epoch FROM now() - min(run_at)
           FILTER (WHERE attempts < max_attempts AND run_at <= now() AND locked_at IS NULL)), 0)::float8 AS oldest,
         count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL)::int AS failed
       FROM graphile_worker.jobs GROUP BY task_identifier`,
    ),
    pool.query<{ outbox: string; waiting: number; oldest: number; failed: number }>(
      `SELECT 'mail' AS outbox, ${WAITING}, (SELECT count(*)::int FROM mail WHERE failed_at > ${A_DAY_AGO}) AS failed
         FROM mail WHERE sent_at IS NULL AND failed_at IS NULL
       UNION ALL
       SELECT 'webhook', ${WAITING}, (SELECT count(*)::int FROM webhook_delivery WHERE failed_at > ${A_DAY_AGO})
         FROM webhook_delivery WHERE delivered_at IS NULL AND failed_at IS NULL
       UNION ALL
       SELECT 'stripe', ${WAITING}, (SELECT count(*)::int FROM stripe_call WHERE status = 'failed' AND created_at > ${A_DAY_AGO})
         FROM stripe_call WHERE status = 'waiting'`,
    ),
    readStoppedClusters(pool),
  ]);
  return {
    dueJobs: jobs.rows.map(({ task, due, oldest }) => ({ task, count: due, oldestSeconds: oldest })),
    failedJobs: jobs.rows.map(({ task, failed }) => ({ task, count: failed })),
    outboxes: outboxes.rows.map(({ outbox, waiting, oldest, failed }) => ({
      outbox,
      waiting,
      oldestSeconds: oldest,
      failedInLastDay: failed,
    })),
    stoppedClusters: new Set(stops.map(({ clusterId }) => clusterId)).size,
  };
}
