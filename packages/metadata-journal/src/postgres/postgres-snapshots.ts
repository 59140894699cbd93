// Snapshots in PostgreSQL: rows of a few megabytes. Only the last part has the number of parts, so a snapshot whose writer died never
// counts as complete.
import type { Pool } from 'pg';
import { JournalDamaged } from '../errors.ts';
import type { Snapshot } from '../journal.ts';
import { JOURNAL_START, type JournalPosition } from '../position.ts';
import { asBuffer } from './as-buffer.ts';

export async function writeSnapshot(
  pool: Pool,
  clusterId: string,
  { seq, hash }: JournalPosition,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  await pool.query('DELETE FROM metadata_snapshot WHERE cluster_id = $1 AND seq = $2', [clusterId, seq]);
  const write = async (part: number, partCount: number, bytes: Uint8Array): Promise<void> => {
    await pool.query({
      name: 'snapshot-write-part',
      text: 'INSERT INTO metadata_snapshot (cluster_id, seq, part, parts, bytes, hash) VALUES ($1, $2, $3, $4, $5, $6)',
      values: [clusterId, seq, part, partCount, asBuffer(bytes), asBuffer(hash)],
    });
  };
  let part = 0;
  let waiting: Uint8Array | undefined;
  // Writes one part behind, since only the last one has the number of parts.
  for await (const bytes of parts) {
    if (waiting !== undefined) {
      await write(part, 0, waiting);
      part += 1;
    }
    waiting = bytes;
  }
  if (waiting !== undefined) {
    await write(part, part + 1, waiting);
  }
}

export async function readSnapshot(
  pool: Pool,
  clusterId: string,
  beforeSeq = Number.MAX_SAFE_INTEGER,
): Promise<Snapshot | undefined> {
  const { rows } = await pool.query<{ seq: string; parts: number; hash: Buffer | null }>({
    name: 'snapshot-newest',
    text: `SELECT seq, max(parts) AS parts, (array_agg(hash))[1] AS hash FROM metadata_snapshot
           WHERE cluster_id = $1 AND seq < $2
           GROUP BY seq HAVING count(*) = max(parts) ORDER BY seq DESC LIMIT 1`,
    values: [clusterId, beforeSeq],
  });
  const [newest] = rows;
  if (newest === undefined) {
    return undefined;
  }
  // Without a hash the journal cannot be read after it.
  const position = { seq: Number(newest.seq), hash: newest.hash ?? JOURNAL_START.hash };
  return { position, parts: readParts(pool, clusterId, position.seq, newest.parts) };
}

async function* readParts(pool: Pool, clusterId: string, seq: number, parts: number): AsyncIterable<Uint8Array> {
  let next = readPart(pool, clusterId, seq, 0);
  for (let part = 1; part <= parts; part += 1) {
    const bytes = await next;
    if (part < parts) {
      // The next part is fetched while this one is decoded. A rejection is observed at the await above.
      next = readPart(pool, clusterId, seq, part);
      next.catch(() => undefined);
    }
    yield bytes;
  }
}

async function readPart(pool: Pool, clusterId: string, seq: number, part: number): Promise<Buffer> {
  const { rows } = await pool.query<{ bytes: Buffer }>({
    name: 'snapshot-read-part',
    text: 'SELECT bytes FROM metadata_snapshot WHERE cluster_id = $1 AND seq = $2 AND part = $3',
    values: [clusterId, seq, part],
  });
  const row = rows[0];
  if (row === undefined) {
    throw new JournalDamaged(clusterId, `part ${part} of snapshot ${seq} is missing`);
  }
  return row.bytes;
}
