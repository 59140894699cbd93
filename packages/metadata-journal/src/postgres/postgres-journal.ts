// The journal in PostgreSQL. The primary key (cluster_id, seq) is the fence: of two owners that append the same sequence
// number, one collides and steps down.
import type { Pool, PoolClient } from 'pg';
import { AppendUncertain, Fenced, JournalDamaged } from '../errors.ts';
import type { ClusterIdentity, Journal, JournalEntry, Retention, Snapshot } from '../journal.ts';
import { asBuffer } from './as-buffer.ts';
import { readSnapshot, writeSnapshot } from './postgres-snapshots.ts';

const UNIQUE_VIOLATION = '23505';

// One page of a load. Entries are usually tens of kilobytes; the byte bound keeps a page of large ones small.
const PAGE_ENTRIES = 256;
const PAGE_BYTES = 16 * 1024 * 1024;

// Deleting in slices keeps each transaction, and what it holds back from vacuum, short.
const CUT_SLICE_ENTRIES = 2_000;

export class PostgresJournal implements Journal {
  readonly #pool: Pool;

  /** @param pool must leave synchronous_commit on: durability is what an append promises. */
  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async append(cluster: ClusterIdentity, seq: number, bytes: Uint8Array): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (cause) {
      throw new AppendUncertain(cluster.clusterId, seq, cause);
    }
    let isStored: boolean;
    try {
      // Behind a snapshot entries are cut, and their sequence numbers would be free again for an owner that slept through it.
      const { rowCount } = await client.query({
        name: 'journal-append',
        text: `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry)
               SELECT $1::uuid, $2::bigint, $3, $4::bytea
               WHERE NOT EXISTS (SELECT FROM metadata_snapshot WHERE cluster_id = $1 AND seq >= $2)`,
        values: [cluster.clusterId, seq, cluster.organizationId, asBuffer(bytes)],
      });
      isStored = rowCount === 1;
    } catch (cause) {
      if (isUniqueViolation(cause)) {
        client.release();
        throw new Fenced(cluster.clusterId, seq);
      }
      // A connection that failed once is not used again: it may still be in the middle of the statement.
      client.release(true);
      throw new AppendUncertain(cluster.clusterId, seq, cause);
    }
    client.release();
    if (!isStored) throw new Fenced(cluster.clusterId, seq);
  }

  async *read(clusterId: string, afterSeq: number): AsyncIterable<JournalEntry> {
    let expectedSeq = afterSeq + 1;
    let page = this.#readPage(clusterId, afterSeq);
    for (;;) {
      const entries = await page;
      const last = entries.at(-1);
      if (last === undefined) return;
      // The next page travels while this one is applied. A rejection is observed at the await above.
      page = this.#readPage(clusterId, last.seq);
      page.catch(() => undefined);
      for (const entry of entries) {
        if (entry.seq !== expectedSeq) throw new JournalDamaged(clusterId, `entry ${expectedSeq} is missing`);
        expectedSeq += 1;
        yield entry;
      }
    }
  }

  async writeSnapshot(clusterId: string, seq: number, parts: Iterable<Uint8Array>): Promise<void> {
    await writeSnapshot(this.#pool, clusterId, seq, parts);
  }

  async readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined> {
    return await readSnapshot(this.#pool, clusterId, beforeSeq);
  }

  async cut(clusterId: string, retain: Retention): Promise<number> {
    const whole = await this.#pool.query<{ seq: string }>({
      name: 'journal-cut-snapshots',
      text: `SELECT seq FROM metadata_snapshot WHERE cluster_id = $1
             GROUP BY seq HAVING count(*) = max(parts) ORDER BY seq DESC LIMIT 2`,
      values: [clusterId],
    });
    const previous = whole.rows[1];
    if (previous === undefined) return 0;
    const previousSeq = Number(previous.seq);
    await this.#pool.query({
      name: 'journal-cut-old-snapshots',
      text: 'DELETE FROM metadata_snapshot WHERE cluster_id = $1 AND seq < $2',
      values: [clusterId, previousSeq],
    });
    const throughSeq = await this.#oldThroughSeq(clusterId, previousSeq - retain.entries, retain.ageMs);
    let dropped = 0;
    for (;;) {
      // How far metering has come is read in the statement that deletes: what is not folded yet can never be caught by it.
      const { rowCount } = await this.#pool.query({
        name: 'journal-cut-entries',
        text: `DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq IN (
                 SELECT seq FROM metadata_journal WHERE cluster_id = $1
                 AND seq <= LEAST($2::bigint, COALESCE((SELECT seq FROM metadata_folded WHERE cluster_id = $1), 0))
                 ORDER BY seq LIMIT $3)`,
        values: [clusterId, throughSeq, CUT_SLICE_ENTRIES],
      });
      dropped += rowCount ?? 0;
      if ((rowCount ?? 0) < CUT_SLICE_ENTRIES) return dropped;
    }
  }

  /** The last entry, not beyond `boundSeq`, up to which all are older than `ageMs` by the database's clock. */
  async #oldThroughSeq(clusterId: string, boundSeq: number, ageMs: number): Promise<number> {
    // Not simply all old ones: a clock that was set back must not lead to a gap.
    const { rows } = await this.#pool.query<{ seq: string }>({
      name: 'journal-oldest-young',
      text: `SELECT seq FROM metadata_journal WHERE cluster_id = $1 AND seq <= $2
             AND appended_at > clock_timestamp() - $3::float8 * interval '1 millisecond' ORDER BY seq LIMIT 1`,
      values: [clusterId, boundSeq, ageMs],
    });
    const [young] = rows;
    return young === undefined ? boundSeq : Number(young.seq) - 1;
  }

  async #readPage(clusterId: string, afterSeq: number): Promise<JournalEntry[]> {
    const { rows } = await this.#pool.query<{ seq: string; entry: Buffer }>({
      name: 'journal-read-page',
      text: `SELECT seq, entry FROM (
               SELECT seq, entry, sum(octet_length(entry)) OVER (ORDER BY seq) - octet_length(entry) AS bytes_before
               FROM (SELECT seq, entry FROM metadata_journal WHERE cluster_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) page
             ) bounded WHERE bytes_before < $4 ORDER BY seq`,
      values: [clusterId, afterSeq, PAGE_ENTRIES, PAGE_BYTES],
    });
    return rows.map((row) => ({ seq: Number(row.seq), bytes: row.entry }));
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
