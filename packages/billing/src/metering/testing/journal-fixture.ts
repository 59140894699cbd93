// A test's own journal, and its expected ledger, computed without the code under test.

import { createTestDatabase } from '@penstock/database/testing';
import { type EntryMeter, encodeEntry, meterOf } from '@penstock/metadata-core';
import { withAccess } from '@penstock/platform';
import { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { JournalCells } from '../fold-journal.ts';

export interface LedgerRow {
  hour: Date;
  uncompressed_bytes: string;
  stored_bytes: string;
  records: string;
  files: string;
  cluster_minutes: number;
  dev_minutes: number;
  low_latency_minutes: number;
}

/** Everything that folding a cluster's journal produces, without timestamps. */
export interface FoldedRows {
  hours: unknown[];
  blocks: unknown[];
  checkpoint: unknown;
}

export interface JournalFixture {
  readonly pool: Pool;
  /** As the worker folds with it: bound by row security, with the access `metering`. */
  readonly metering: Pool;
  readonly databaseUrl: string;
  /** URL of the tables' owner, who has to declare an access. */
  readonly ownerUrl: string;
  /** Only `main`, the ledger's own database. */
  readonly cells: JournalCells;
  newCluster(): Promise<string>;
  append(clusterId: string, seq: number, entry: Uint8Array): Promise<void>;
  /** Appends entries 1, 2, 3, … */
  appendAll(clusterId: string, entries: readonly Uint8Array[]): Promise<void>;
  ledger(clusterId: string): Promise<LedgerRow[]>;
  checkpoint(clusterId: string): Promise<string | undefined>;
  foldedRows(clusterId: string): Promise<FoldedRows>;
  /** Clusters and months whose running total is not the sum of their hours. */
  wrongTotals(): Promise<unknown[]>;
  /** Deletes what was folded; the journal stays. */
  unfold(clusterId: string): Promise<void>;
}

/** For folding without other cells. */
export const mainAlone: JournalCells = {
  pool(cell) {
    throw new Error(`there is no cell ${cell}`);
  },
};

export function entryOf(nowMs: number, meter: Partial<EntryMeter>): Uint8Array {
  return encodeEntry({ nowMs, commands: [], meter: { ...meterOf([]), ...meter } });
}

/** Sets up a database for the tests of one file. Call it at the top of the file. */
export function setUpJournals(): JournalFixture {
  let opened: { pool: Pool; metering: Pool; url: string; ownerUrl: string; drop: () => Promise<void> } | undefined;
  beforeAll(async () => {
    const { url, ownerUrl, drop } = await createTestDatabase();
    const pool = new Pool({ connectionString: url });
    // Dropping the database breaks connections that are still closing.
    pool.on('error', () => undefined);
    const metering = new Pool({ connectionString: ownerUrl, ...withAccess('metering') });
    metering.on('error', () => undefined);
    opened = { pool, metering, url, ownerUrl, drop };
    await opened.pool.query(`INSERT INTO organization (id, name, slug) VALUES ('org', 'Acme', 'acme')`);
  });
  afterAll(async () => {
    await opened?.metering.end();
    await opened?.pool.end();
    await opened?.drop();
  });

  function current() {
    if (opened === undefined) {
      throw new Error('The database is open within tests alone.');
    }
    return opened;
  }

  return {
    get pool() {
      return current().pool;
    },
    cells: mainAlone,
    get metering() {
      return current().metering;
    },
    get databaseUrl() {
      return current().url;
    },
    get ownerUrl() {
      return current().ownerUrl;
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
    async appendAll(clusterId, entries) {
      await current().pool.query(
        `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry)
         SELECT $1, e.seq, 'org', e.entry FROM unnest($2::bytea[]) WITH ORDINALITY e (entry, seq)`,
        [clusterId, entries.map((entry) => Buffer.from(entry))],
      );
    },
    async ledger(clusterId) {
      const { rows } = await current().pool.query<LedgerRow>(
        `SELECT hour, uncompressed_bytes, stored_bytes, records, files, cluster_minutes, dev_minutes, low_latency_minutes
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
    async foldedRows(clusterId) {
      const select = async (text: string) =>
        (await current().pool.query<Record<string, unknown>>(text, [clusterId])).rows;
      return {
        hours: await select('SELECT * FROM usage_hour WHERE cluster_id = $1 ORDER BY hour'),
        blocks: await select(
          `SELECT first_seq, last_seq, bytes_per_minute, alive_minutes, hash, previous_hash, seal
           FROM metadata_meter_block WHERE cluster_id = $1 ORDER BY first_seq`,
        ),
        checkpoint: await select('SELECT seq, entry_at FROM metering_checkpoint WHERE cluster_id = $1'),
      };
    },
    async wrongTotals() {
      const { rows } = await current().pool.query(
        `SELECT * FROM usage_month total FULL JOIN (
           SELECT cluster_id, date_trunc('month', hour AT TIME ZONE 'UTC')::date AS month, min(organization_id) AS organization_id,
             sum(uncompressed_bytes) AS bytes, sum(cluster_minutes) AS minutes, sum(dev_minutes) AS dev,
             sum(low_latency_minutes) AS low_latency
           FROM usage_hour GROUP BY 1, 2
         ) AS hours USING (cluster_id, month, organization_id)
         WHERE total.uncompressed_bytes IS DISTINCT FROM coalesce(bytes, 0)
           OR total.cluster_minutes IS DISTINCT FROM coalesce(minutes, 0) OR total.dev_minutes IS DISTINCT FROM coalesce(dev, 0)
           OR total.low_latency_minutes IS DISTINCT FROM coalesce(low_latency, 0)`,
      );
      return rows;
    },
    async unfold(clusterId) {
      for (const table of ['usage_hour', 'metadata_meter_block', 'metering_checkpoint', 'metadata_folded']) {
        await current().pool.query(`DELETE FROM ${table} WHERE cluster_id = $1`, [clusterId]);
      }
    },
  };
}
