// Snapshots in PostgreSQL: rows of a few megabytes. Only the last part carries the number of parts, so a snapshot whose
// writer died is never taken for a whole one.
import type { Pool } from 'pg';
import { JournalDamaged } from '../errors.ts';
import type { Snapshot } from '../journal.ts';
import { asBuffer } from './as-buffer.ts';

export async function writeSnapshot(
  pool: Pool,
  clusterId: string,
  seq: number,
  parts: Iterable<Uint8Array>,
): Promise<void> {
  await pool.query('DELETE FROM metadata_snapshot WHERE cluster_id = $1 AND seq = $2', [clusterId, seq]);
  const iterator = parts[Symbol.iterator]();
  let step = iterator.next();
  for (let part = 0; step.done !== true; part += 1) {
    const bytes = step.value;
    step = iterator.next();
    await pool.query({
      name: 'snapshot-write-part',
      text: 'INSERT INTO metadata_snapshot (cluster_id, seq, part, parts, bytes) VALUES ($1, $2, $3, $4, $5)',
      values: [clusterId, seq, part, step.done === true ? part + 1 : 0, asBuffer(bytes)],
    });
  }
}

export async function readSnapshot(
  pool: Pool,
  clusterId: string,
  beforeSeq = Number.MAX_SAFE_INTEGER,
): Promise<Snapshot | undefined> {
  const found = await pool.query<{ seq: string; parts: number }>({
    name: 'snapshot-newest',
    text: `SELECT seq, max(parts) AS parts FROM metadata_snapshot WHERE cluster_id = $1 AND seq < $2
           GROUP BY seq HAVING count(*) = max(parts) ORDER BY seq DESC LIMIT 1`,
    values: [clusterId, beforeSeq],
  });
  const newest = found.rows[0];
  if (newest === undefined) return undefined;
  const parts = await Promise.all(
    Array.from({ length: newest.parts }, (_, part) => readPart(pool, clusterId, newest.seq, part)),
  );
  return { seq: Number(newest.seq), bytes: Buffer.concat(parts) };
}

async function readPart(pool: Pool, clusterId: string, seq: string, part: number): Promise<Buffer> {
  const { rows } = await pool.query<{ bytes: Buffer }>({
    name: 'snapshot-read-part',
    text: 'SELECT bytes FROM metadata_snapshot WHERE cluster_id = $1 AND seq = $2 AND part = $3',
    values: [clusterId, seq, part],
  });
  const row = rows[0];
  if (row === undefined) throw new JournalDamaged(clusterId, `part ${part} of snapshot ${seq} is missing`);
  return row.bytes;
}
