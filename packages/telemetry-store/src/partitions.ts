// Partitions of the telemetry tables: created in advance, and dropped whole when everything in them has expired.
import { isExpired, type Level, levelFacts, levels, partitionsToHave } from '@penstock/telemetry';
import { HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';
import { inTransaction } from './in-transaction.ts';

/** Any fixed number. Only one process at a time changes partitions. */
const PARTITION_LOCK_ID = 7_112_026_001n;

const kinds = ['agent', 'zone', 'client'] as const;

/** Creates the partitions for reports of now and the next days. */
export async function ensurePartitions(pool: Pool, nowMs: number): Promise<void> {
  const existing = new Set((await listPartitions(pool)).map(({ name }) => name));
  for (const level of levels) {
    for (const { suffix, fromMs, toMs } of partitionsToHave(level, nowMs)) {
      for (const kind of kinds) {
        const name = `${kind}_${level}_${suffix}`;
        if (existing.has(name)) {
          continue;
        }
        // Names and times are generated here, so they need no escaping.
        await changePartition(
          pool,
          `CREATE TABLE IF NOT EXISTS telemetry."${name}" PARTITION OF telemetry."${kind}_${level}"
           FOR VALUES FROM ('${new Date(fromMs).toISOString()}') TO ('${new Date(toMs).toISOString()}')`,
          `SELECT telemetry.secure_partition('telemetry."${name}"')`,
        );
      }
    }
  }
}

/**
 * Drops the partitions that have expired at their level, but none that a pending roll-up may need.
 * @returns the names of the dropped tables
 */
export async function dropExpiredPartitions(pool: Pool, nowMs: number): Promise<string[]> {
  const { rows } = await pool.query<{ oldest: Date | null }>('SELECT min(slot) AS oldest FROM telemetry.due');
  const neededFromMs = (rows[0]?.oldest?.getTime() ?? nowMs) - HOUR_MS;
  const expired = (await listPartitions(pool)).filter(({ level, suffix }) =>
    isExpired(level, suffix, Math.min(nowMs, neededFromMs + levelFacts[level].retentionMs)),
  );
  for (const { name } of expired) {
    await changePartition(pool, `DROP TABLE IF EXISTS telemetry."${name}"`);
  }
  if (expired.length > 0) {
    await forgetAgents(pool);
  }
  return expired.map(({ name }) => name);
}

/**
 * Each change has its own transaction: it locks the whole table, and holding several locks could deadlock with writers.
 * Only the owner may change tables, so the transaction sets the role of declared access aside.
 */
function changePartition(pool: Pool, ...statements: string[]): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('SET LOCAL ROLE NONE');
    await client.query('SELECT pg_advisory_xact_lock($1)', [PARTITION_LOCK_ID.toString()]);
    for (const statement of statements) {
      await client.query(statement);
    }
  });
}

/** Deletes incarnations without data at the coarsest level. */
async function forgetAgents(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE FROM telemetry.agent AS agent WHERE last_slot < now() - interval '2 days'
     AND NOT EXISTS (SELECT 1 FROM telemetry.agent_1h AS kept
       WHERE kept.cluster_id = agent.cluster_id AND kept.agent_no = agent.agent_no)`,
  );
}

async function listPartitions(pool: Pool): Promise<{ name: string; level: Level; suffix: string }[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT child.relname AS name FROM pg_inherits
     JOIN pg_class AS child ON child.oid = inhrelid
     JOIN pg_class AS parent ON parent.oid = inhparent
     WHERE child.relnamespace = 'telemetry'::regnamespace AND parent.relkind = 'p' AND child.relkind = 'r'`,
  );
  return rows.flatMap(({ name }) => {
    const [, levelText, suffix] = name.split('_');
    const level = levels.find((candidate) => candidate === levelText);
    return level === undefined || suffix === undefined ? [] : [{ name, level, suffix }];
  });
}
