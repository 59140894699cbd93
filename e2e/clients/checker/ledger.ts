// Reads the ledger of a cluster once everything is folded.
import pg from 'pg';
import { until } from '../support/run.ts';
import type { UsageEvent } from './history.ts';

/** @throws when the fold does not catch up with the journal in time */
export async function readLedger(databaseUrl: string, clusterId: string, patienceMs: number): Promise<UsageEvent> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const one = async (text: string): Promise<Record<string, string | null>> => {
    const { rows } = await database.query<Record<string, string | null>>(text, [clusterId]);
    return rows[0] ?? {};
  };
  try {
    const { seq } = await one('SELECT max(seq) AS seq FROM metadata_journal WHERE cluster_id = $1');
    await until(
      'the ledger is up to the journal',
      async () => {
        const folded = await one('SELECT max(seq) AS seq FROM metering_checkpoint WHERE cluster_id = $1');
        return BigInt(folded['seq'] ?? 0) >= BigInt(seq ?? 0);
      },
      patienceMs,
    );
    const ledger = await one(
      `SELECT sum(uncompressed_bytes) AS uncompressed, sum(stored_bytes) AS stored, sum(records) AS records
       FROM usage_hour WHERE cluster_id = $1`,
    );
    return {
      t: 'usage',
      records: Number(ledger['records']),
      storedBytes: Number(ledger['stored']),
      uncompressedBytes: Number(ledger['uncompressed']),
    };
  } finally {
    await database.end();
  }
}
