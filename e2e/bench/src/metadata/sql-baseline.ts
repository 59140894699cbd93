// The design without an owner: each commit is one prepared statement that locks the partitions' rows, advances their high watermarks and
// inserts a row per run into indexed tables. Arrays in, offsets out; one round trip; ordered locks.
import type { CommitFile } from '@penstock/metadata-core';
import { Pool } from 'pg';
import type { Load, LoopResult } from '../closed-loop.ts';
import { runClosedLoop } from '../closed-loop.ts';
import { newCommit, RUNS_PER_COMMIT } from './workload.ts';

// A fill factor leaves room in each page, so that advancing a high watermark does not touch the index.
const SCHEMA = `
  CREATE TABLE baseline_partition (
    topic_id uuid, partition int, high_watermark bigint NOT NULL, PRIMARY KEY (topic_id, partition)
  ) WITH (fillfactor = 25);
  CREATE TABLE baseline_file (file_id uuid PRIMARY KEY, file_bytes bigint NOT NULL);
  CREATE TABLE baseline_run (
    topic_id uuid, partition int, base_offset bigint, records int NOT NULL, file_id uuid NOT NULL, position bigint NOT NULL,
    bytes int NOT NULL, max_timestamp_ms bigint NOT NULL, PRIMARY KEY (topic_id, partition, base_offset)
  );
`;

const COMMIT = `
  WITH input AS (
    SELECT * FROM unnest($4::int[], $5::bigint[], $6::int[], $7::int[], $8::bigint[])
      AS input (partition, position, bytes, records, max_timestamp_ms)
  ), locked AS (
    SELECT partition FROM baseline_partition WHERE topic_id = $1 AND partition = ANY($4::int[]) ORDER BY partition FOR UPDATE
  ), moved AS (
    UPDATE baseline_partition AS stored SET high_watermark = stored.high_watermark + input.records
    FROM input JOIN locked USING (partition) WHERE stored.topic_id = $1 AND stored.partition = input.partition
    RETURNING input.*, stored.high_watermark - input.records AS base_offset
  ), file AS (
    INSERT INTO baseline_file (file_id, file_bytes) VALUES ($2, $3)
  )
  INSERT INTO baseline_run (topic_id, partition, base_offset, records, file_id, position, bytes, max_timestamp_ms)
  SELECT $1, partition, base_offset, records, $2, position, bytes, max_timestamp_ms FROM moved
  RETURNING base_offset`;

export async function measureSqlBaseline(databaseUrl: string, load: Load): Promise<LoopResult> {
  const pool = new Pool({ connectionString: databaseUrl, max: load.inFlight });
  // As in metadata.ts: only on idle connections.
  pool.on('error', () => undefined);
  try {
    const topicId = Buffer.from(crypto.randomUUID().replaceAll('-', ''), 'hex');
    await pool.query(SCHEMA);
    await pool.query(
      'INSERT INTO baseline_partition SELECT $1, partition, 0 FROM generate_series(0, $2::int) AS partition',
      [topicId.toString('hex'), RUNS_PER_COMMIT - 1],
    );
    await pool.query('ANALYZE baseline_partition');
    return await runClosedLoop(load, async () => {
      const { rowCount } = await pool.query({ name: 'commit', text: COMMIT, values: parameters(newCommit(topicId)) });
      if (rowCount !== RUNS_PER_COMMIT) {
        throw new Error(`the baseline stored ${rowCount} of ${RUNS_PER_COMMIT} runs`);
      }
    });
  } finally {
    await pool.end();
  }
}

function parameters(commit: CommitFile): unknown[] {
  return [
    Buffer.from(commit.topicIds[0] ?? []).toString('hex'),
    Buffer.from(commit.fileId).toString('hex'),
    commit.fileBytes,
    [...commit.runPartition],
    [...commit.runPosition],
    [...commit.batchBytes],
    [...commit.batchRecords],
    [...commit.batchMaxTimestampMs],
  ];
}
