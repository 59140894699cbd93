// The cost of the end of an hour: sixty minutes of every agent are rolled up into one hour.
import { rollUpTelemetry } from '@penstock/telemetry-store';
import { HOUR_MS, MINUTE_MS } from '@penstock/units';
import type { Pool } from 'pg';
import { cpuSecondsOfTree } from '../process-usage.ts';

export interface HourResult {
  /** CPU time of the roll-up itself and of PostgreSQL for it, in seconds. */
  rollUpCpuS: number;
  postgresCpuS: number;
}

/** Fills the previous hour with copies of a measured minute, and rolls it up in this process. */
export async function measureHour(pool: Pool, postgresPid: number): Promise<HourResult> {
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
  const { rows } = await pool.query<{ slot: Date }>(
    'SELECT slot FROM telemetry.agent_1m GROUP BY slot ORDER BY count(*) DESC, slot LIMIT 1',
  );
  const [model] = rows;
  if (model === undefined) {
    throw new Error('no minute was rolled up');
  }
  await pool.query('DELETE FROM telemetry.due');
  for (const [kind, column] of [
    ['agent', 'agent_no'],
    ['zone', 'zone'],
  ] as const) {
    for (let minute = 0; minute < 60; minute += 1) {
      await pool.query(
        `INSERT INTO telemetry.${kind}_1m (cluster_id, slot, ${column}, sample)
         SELECT cluster_id, $1, ${column}, sample FROM telemetry.${kind}_1m WHERE slot = $2 ON CONFLICT DO NOTHING`,
        [new Date(hourMs + minute * MINUTE_MS), model.slot],
      );
    }
  }
  await pool.query(`INSERT INTO telemetry.due SELECT DISTINCT '1h', $1::timestamptz, cluster_id FROM telemetry.agent`, [
    new Date(hourMs),
  ]);
  const usageBefore = process.cpuUsage();
  const postgresBefore = await cpuSecondsOfTree(postgresPid);
  if ((await rollUpTelemetry(pool, Date.now())) === 0) {
    throw new Error('no hour was rolled up');
  }
  const { user, system } = process.cpuUsage(usageBefore);
  return {
    rollUpCpuS: (user + system) / 1_000_000,
    postgresCpuS: (await cpuSecondsOfTree(postgresPid)) - postgresBefore,
  };
}
