// The obvious first design: one transaction per entry, in which a statement adds it to its hour and advances the checkpoint. As safe
// against crashes as the fold, without meter blocks.
import { decodeEntryHead } from '@penstock/metadata-core';
import { HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';

const PAGE_ENTRIES = 5_000;

const UPSERT = `
  WITH moved AS (
    INSERT INTO metering_checkpoint (cluster_id, seq, entry_at) VALUES ($1, $2, to_timestamp($3::double precision / 1000))
    ON CONFLICT (cluster_id) DO UPDATE SET seq = excluded.seq, entry_at = excluded.entry_at
  )
  INSERT INTO usage_hour AS u (cluster_id, hour, organization_id, uncompressed_bytes, stored_bytes, records, files, cluster_minutes, first_seq, last_seq)
  VALUES ($1, to_timestamp($4::double precision / 1000), 'bench', $5, $6, $7, $8, $9, $2, $2)
  ON CONFLICT (cluster_id, hour) DO UPDATE SET
    uncompressed_bytes = u.uncompressed_bytes + excluded.uncompressed_bytes, stored_bytes = u.stored_bytes + excluded.stored_bytes,
    records = u.records + excluded.records, files = u.files + excluded.files,
    cluster_minutes = u.cluster_minutes + excluded.cluster_minutes, last_seq = excluded.last_seq`;

/** Folds a whole journal this way; returns entries per second. */
export async function measureUpserts(pool: Pool, clusterId: string): Promise<number> {
  const started = performance.now();
  let folded = 0;
  for (;;) {
    const { rows } = await pool.query<{ seq: string; entry: Buffer }>(
      'SELECT seq, entry FROM metadata_journal WHERE cluster_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
      [clusterId, folded, PAGE_ENTRIES],
    );
    if (rows.length === 0) {
      return folded / ((performance.now() - started) / 1_000);
    }
    for (const { seq, entry } of rows) {
      const { nowMs, meter } = decodeEntryHead(entry);
      const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
      const { uncompressedBytes, storedBytes, records, files, clusterMinutes } = meter;
      await pool.query({
        name: 'baseline-upsert',
        text: UPSERT,
        values: [clusterId, seq, nowMs, hourMs, uncompressedBytes, storedBytes, records, files, clusterMinutes],
      });
    }
    folded += rows.length;
  }
}
