// A journal of a test's own, and what its ledger must say, added up without the code under test.
import { type EntryMeter, encodeEntry, meterOf } from '@penstock/metadata-core';
import { createTestDatabase } from '@penstock/testing';
import { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';

export interface LedgerRow {
  hour: Date;
  uncompressed_bytes: string;
  stored_bytes: string;
  records: string;
  files: string;
  cluster_minutes: number;
}

export interface JournalFixture {
  readonly pool: Pool;
  readonly databaseUrl: string;
  newCluster(): Promise<string>;
  append(clusterId: string, seq: number, entry: Uint8Array): Promise<void>;
  ledger(clusterId: string): Promise<LedgerRow[]>;
  checkpoint(clusterId: string): Promise<string | undefined>;
}

export function entryOf(nowMs: number, meter: Partial<EntryMeter>): Uint8Array {
  return encodeEntry({ nowMs, commands: [], meter: { ...meterOf([]), ...meter } });
}

/** Sets up a database for the tests of one file. Call it at the top of the file. */
export function setUpJournals(): JournalFixture {
  let opened: { pool: Pool; url: string; drop: () => Promise<void> } | undefined;
  beforeAll(async () => {
    const { url, drop } = await createTestDatabase();
    const pool = new Pool({ connectionString: url });
    // Dropping the database ends connections that are still saying good-bye.
    pool.on('error', () => undefined);
    opened = { pool, url, drop };
    await opened.pool.query(`INSERT INTO organization (id, name, slug) VALUES ('org', 'Acme', 'acme')`);
  });
  afterAll(async () => {
    await opened?.pool.end();
    await opened?.drop();
  });

  function current() {
    if (opened === undefined) throw new Error('The database is open within tests alone.');
    return opened;
  }

  return {
    get pool() {
      return current().pool;
    },
    get databaseUrl() {
      return current().url;
    },
    async newCluster() {
      const { rows } = await current().pool.query<{ id: string }>(
        `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at)
         VALUES (gen_random_uuid(), 'org', gen_random_uuid()::text, 'aws', 'x', now()) RETURNING id`,
      );
      return rows[0]?.id ?? '';
    },
    async append(clusterId, seq, entry) {
      await current().pool.query(
        `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry) VALUES ($1, $2, 'org', $3)`,
        [clusterId, seq, Buffer.from(entry)],
      );
    },
    async ledger(clusterId) {
      const { rows } = await current().pool.query<LedgerRow>(
        `SELECT hour, uncompressed_bytes, stored_bytes, records, files, cluster_minutes
         FROM usage_hour WHERE cluster_id = $1 ORDER BY hour`,
        [clusterId],
      );
      return rows;
    },
    async checkpoint(clusterId) {
      const { rows } = await current().pool.query<{ seq: string }>(
        'SELECT seq FROM metering_checkpoint WHERE cluster_id = $1',
        [clusterId],
      );
      return rows[0]?.seq;
    },
  };
}
