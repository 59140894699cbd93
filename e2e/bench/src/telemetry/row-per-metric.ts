// The baseline: the same reports as one row per metric, agent and window, as monitoring data is often stored in SQL. Percentiles are
// separate rows, so they could not even be merged afterwards.
import {
  counterNames,
  decodeSample,
  encodeSample,
  gaugeNames,
  latencyOf,
  percentiles,
  quantileUs,
  type Sample,
  sketchCount,
} from '@penstock/telemetry';
import type { Pool } from 'pg';

export interface WriteResult {
  rowsPerReport: number;
  bytesPerReport: number;
  reports: number;
}

/** A thousand agents in ten seconds are a hundred per second: a statement writes this many, as in the store. */
const REPORTS_PER_STATEMENT = 100;

/** Writes this many windows of the stored reports again in the store's own form: only for comparison with the baseline. */
export async function writeRowPerReport(pool: Pool, windows: number): Promise<WriteResult> {
  await pool.query('CREATE TABLE telemetry_by_report (LIKE telemetry.agent_10s INCLUDING ALL)');
  let reports = 0;
  for (const { rows } of await storedWindows(pool, windows)) {
    reports += rows.length;
    for (let from = 0; from < rows.length; from += REPORTS_PER_STATEMENT) {
      const some = rows.slice(from, from + REPORTS_PER_STATEMENT);
      await pool.query({
        name: 'by-report',
        text: `INSERT INTO telemetry_by_report
               SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bytea[]) ON CONFLICT DO NOTHING`,
        values: [
          some.map((row) => row.cluster_id),
          some.map((row) => row.slot),
          some.map((row) => row.agent_no),
          some.map((row) => row.seq),
          some.map((row) => Buffer.from(encodeSample(decodeSample(row.sample)))),
        ],
      });
    }
  }
  return { reports, rowsPerReport: 1, bytesPerReport: (await sizeOf(pool, 'telemetry_by_report')) / reports };
}

/** Writes the same windows with one row per metric. */
export async function writeRowPerMetric(pool: Pool, windows: number): Promise<WriteResult> {
  await pool.query(
    `CREATE TABLE telemetry_by_metric (
       slot timestamptz(0) NOT NULL, agent_no bigint NOT NULL, metric smallint NOT NULL, value double precision NOT NULL,
       PRIMARY KEY (agent_no, metric, slot))`,
  );
  let reports = 0;
  let written = 0;
  for (const { slot, rows } of await storedWindows(pool, windows)) {
    reports += rows.length;
    for (let from = 0; from < rows.length; from += REPORTS_PER_STATEMENT) {
      const values = rows
        .slice(from, from + REPORTS_PER_STATEMENT)
        .flatMap((row) =>
          metricsOf(decodeSample(row.sample)).map(([metric, value]) => ({ agentNo: row.agent_no, metric, value })),
        );
      written += values.length;
      await pool.query({
        name: 'by-metric',
        text: `INSERT INTO telemetry_by_metric SELECT $1, * FROM unnest($2::bigint[], $3::smallint[], $4::float8[]) ON CONFLICT DO NOTHING`,
        values: [
          slot,
          values.map(({ agentNo }) => agentNo),
          values.map(({ metric }) => metric),
          values.map(({ value }) => value),
        ],
      });
    }
  }
  const bytes = await sizeOf(pool, 'telemetry_by_metric');
  return { reports, rowsPerReport: written / reports, bytesPerReport: bytes / reports };
}

interface StoredReport {
  cluster_id: string;
  slot: Date;
  agent_no: string;
  seq: string;
  sample: Buffer;
}

/** The windows with the most reports. */
async function storedWindows(pool: Pool, windows: number): Promise<{ slot: Date; rows: StoredReport[] }[]> {
  const { rows: slots } = await pool.query<{ slot: Date }>(
    'SELECT slot FROM telemetry.agent_10s GROUP BY slot ORDER BY count(*) DESC, slot LIMIT $1',
    [windows],
  );
  return Promise.all(
    slots.map(async ({ slot }) => {
      const { rows } = await pool.query<StoredReport>('SELECT * FROM telemetry.agent_10s WHERE slot = $1', [slot]);
      return { slot, rows };
    }),
  );
}

async function sizeOf(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>('SELECT pg_total_relation_size($1) AS bytes', [table]);
  return Number(rows[0]?.bytes);
}

/** The metrics of a report by number. */
function metricsOf(sample: Sample): [number, number][] {
  const values: [number, number][] = [];
  for (const [index] of counterNames.entries()) {
    values.push([index, sample.counters[index] ?? 0]);
  }
  for (const [index] of gaugeNames.entries()) {
    values.push([100 + index, sample.gauges[index]?.sum ?? 0]);
  }
  for (const [apiKey, count] of sample.requests) {
    values.push([200 + apiKey, count]);
  }
  for (const [key, count] of sample.errors) {
    values.push([1_000 + (key % 1_000), count]);
  }
  for (const { stage } of sample.latencies) {
    const sketch = latencyOf(sample, stage);
    values.push([500 + stage * 10, sketchCount(sketch)]);
    for (const [index, share] of Object.values(percentiles).entries()) {
      values.push([501 + stage * 10 + index, quantileUs(sketch, share) ?? 0]);
    }
  }
  return values;
}
