// Dead files as rows in PostgreSQL.
import type { Pool } from 'pg';
import type { DeadFile, DeadFiles, DeadFileTotals, TakeOptions } from '../dead-files.ts';

export class PostgresDeadFiles implements DeadFiles {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async add(clusterId: string, files: readonly DeadFile[]): Promise<void> {
    await this.#pool.query({
      name: 'dead-files-add',
      text: `INSERT INTO metadata_dead_file (cluster_id, file_id, bytes, delete_after)
             SELECT $1, file_id, bytes, to_timestamp(delete_after_ms / 1000)
             FROM unnest($2::uuid[], $3::bigint[], $4::float8[]) AS dead (file_id, bytes, delete_after_ms)
             ON CONFLICT DO NOTHING`,
      values: [
        clusterId,
        files.map(({ fileId }) => uuidOf(fileId)),
        files.map(({ bytes }) => bytes),
        files.map(({ deleteAfterMs }) => deleteAfterMs),
      ],
    });
  }

  async take(clusterId: string, { maxFiles, dueMs, nowMs, leaseUntilMs }: TakeOptions): Promise<Uint8Array[]> {
    const { rows } = await this.#pool.query<{ file_id: string }>({
      name: 'dead-files-take',
      text: `WITH due AS MATERIALIZED (
               SELECT file_id, delete_after FROM metadata_dead_file
               WHERE cluster_id = $1 AND ($2::float8 IS NULL OR delete_after <= to_timestamp($2::float8 / 1000))
                 AND (leased_until IS NULL OR leased_until <= to_timestamp($3::float8 / 1000))
               ORDER BY delete_after LIMIT $4 FOR UPDATE SKIP LOCKED
             ), taken AS (
               UPDATE metadata_dead_file AS dead SET leased_until = to_timestamp($5::float8 / 1000)
               FROM due WHERE dead.cluster_id = $1 AND dead.file_id = due.file_id
             )
             SELECT file_id FROM due ORDER BY delete_after`,
      values: [clusterId, dueMs, nowMs, maxFiles, leaseUntilMs],
    });
    return rows.map((row) => bytesOf(row.file_id));
  }

  async remove(clusterId: string, fileIds: readonly Uint8Array[]): Promise<void> {
    await this.#pool.query({
      name: 'dead-files-remove',
      text: 'DELETE FROM metadata_dead_file WHERE cluster_id = $1 AND file_id = ANY($2::uuid[])',
      values: [clusterId, fileIds.map(uuidOf)],
    });
  }

  async holds(clusterId: string, fileIds: readonly Uint8Array[]): Promise<boolean[]> {
    const asked = fileIds.map(uuidOf);
    const { rows } = await this.#pool.query<{ file_id: string }>({
      name: 'dead-files-held',
      text: 'SELECT file_id FROM metadata_dead_file WHERE cluster_id = $1 AND file_id = ANY($2::uuid[])',
      values: [clusterId, asked],
    });
    const held = new Set(rows.map((row) => row.file_id.replaceAll('-', '')));
    return asked.map((fileId) => held.has(fileId));
  }

  async totals(clusterId: string): Promise<DeadFileTotals> {
    const { rows } = await this.#pool.query<{ files: string; bytes: string }>({
      name: 'dead-files-totals',
      text: 'SELECT count(*) AS files, COALESCE(sum(bytes), 0) AS bytes FROM metadata_dead_file WHERE cluster_id = $1',
      values: [clusterId],
    });
    return { files: Number(rows[0]?.files ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
  }
}

/** PostgreSQL reads a UUID without hyphens, too. */
function uuidOf(fileId: Uint8Array): string {
  return Buffer.from(fileId).toString('hex');
}

function bytesOf(uuid: string): Uint8Array {
  return Uint8Array.from(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}
