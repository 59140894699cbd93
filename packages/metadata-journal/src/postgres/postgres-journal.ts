// The journal in PostgreSQL. The primary key (cluster_id, seq) is the fence: of two owners that append the same sequence number, one
// collides and steps down. The hash of the previous entry keeps an append from extending a different history.
import type { Pool, PoolClient } from 'pg';
import { checkEntry, type UncheckedEntry } from '../check-entry.ts';
import { AppendUncertain, Fenced, HistoryLost } from '../errors.ts';
import type { ClusterIdentity, Journal, JournalEntry, PositionStatus, Retention, Snapshot } from '../journal.ts';
import { JOURNAL_START, type JournalPosition, positionAfter } from '../position.ts';
import { asBuffer } from './as-buffer.ts';
import { readSnapshot, writeSnapshot } from './postgres-snapshots.ts';

const UNIQUE_VIOLATION = '23505';
/** A warning without a code of its own. */
const WARNING = '01000';

// The size of one page of a load. Entries are usually tens of kilobytes; the byte limit keeps a page of large ones small.
const PAGE_ENTRIES = 256;
const PAGE_BYTES = 16 * 1024 * 1024;

// Deleting in slices keeps each transaction short, and with it the delay of vacuum.
const CUT_SLICE_ENTRIES = 2_000;

// The inserting statement looks the previous entry up, which costs one probe of the primary key and no round trip.
const APPEND = `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry, hash)
  SELECT $1::uuid, $2::bigint, $3, $4::bytea, $5::bytea
  WHERE EXISTS (SELECT FROM metadata_journal previous WHERE previous.cluster_id = $1 AND previous.seq = $2 - 1
                AND previous.hash = $6::bytea)`;
// Cuts spare the newest entries, so a journal that was ever written to is never empty again.
const APPEND_FIRST = `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry, hash)
  SELECT $1::uuid, $2::bigint, $3, $4::bytea, $5::bytea
  WHERE NOT EXISTS (SELECT FROM metadata_journal WHERE cluster_id = $1)`;

/** The fields of a PostgreSQL notice that matter here. */
interface Notice {
  code: string | undefined;
  message: string | undefined;
  detail: string | undefined;
}

export class PostgresJournal implements Journal {
  readonly #pool: Pool;

  /** @param pool must leave synchronous_commit on, because an append promises durability */
  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition> {
    const { clusterId, organizationId } = cluster;
    const position = positionAfter(previous, bytes);
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (cause) {
      throw new AppendUncertain(clusterId, position.seq, cause);
    }
    const values = [clusterId, position.seq, organizationId, asBuffer(bytes), asBuffer(position.hash)];
    let isStored: boolean;
    // When a wait for a synchronous standby is cancelled, PostgreSQL reports success with a warning: only the primary has the entry.
    const warnings: Error[] = [];
    const onNotice = ({ code, message, detail }: Notice): void => {
      if (code === WARNING) {
        warnings.push(new Error(`${message}: ${detail}`));
      }
    };
    client.on('notice', onNotice);
    try {
      const { rowCount } = await client.query(
        previous.seq === 0
          ? { name: 'journal-append-first', text: APPEND_FIRST, values }
          : { name: 'journal-append', text: APPEND, values: [...values, asBuffer(previous.hash)] },
      );
      isStored = rowCount === 1;
    } catch (cause) {
      if (!isUniqueViolation(cause)) {
        // A connection that failed once is not reused: it may still be in the middle of the statement.
        client.release(true);
        throw new AppendUncertain(clusterId, position.seq, cause);
      }
      isStored = false;
    } finally {
      client.off('notice', onNotice);
    }
    client.release();
    if (warnings.length > 0) {
      throw new AppendUncertain(clusterId, position.seq, warnings[0]);
    }
    if (!isStored) {
      throw await this.#whyNotStored(clusterId, previous);
    }
    return position;
  }

  async *read(clusterId: string, after: JournalPosition): AsyncIterable<JournalEntry> {
    let page = this.#readPage(clusterId, after.seq);
    page.catch(() => undefined);
    const status = await this.statusOf(clusterId, after);
    if (status.kind === 'lost') {
      throw new HistoryLost(clusterId, after, status.last);
    }
    let position = after;
    for (;;) {
      const entries = await page;
      const last = entries.at(-1);
      if (last === undefined) {
        return;
      }
      // The next page is fetched while this one is applied. A rejection is observed at the await above.
      page = this.#readPage(clusterId, last.seq);
      page.catch(() => undefined);
      for (const entry of entries) {
        // Entry by entry, not page by page: hashing 16 MiB at once would block the process.
        position = checkEntry(clusterId, position, entry);
        yield { ...position, bytes: entry.bytes };
      }
    }
  }

  async statusOf(clusterId: string, position: JournalPosition): Promise<PositionStatus> {
    const { rows } = await this.#pool.query<{
      held: Buffer | null;
      oldest: string | null;
      last: string | null;
      last_hash: Buffer | null;
      is_standby: boolean;
    }>({
      name: 'journal-status-of',
      text: `SELECT
               (SELECT hash FROM metadata_journal WHERE cluster_id = $1 AND seq = $2) AS held,
               (SELECT min(seq) FROM metadata_journal WHERE cluster_id = $1) AS oldest,
               last.seq AS last, last.hash AS last_hash,
               pg_is_in_recovery() AS is_standby
             FROM (SELECT) one LEFT JOIN LATERAL (
               SELECT seq, hash FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq DESC LIMIT 1) last ON true`,
      values: [clusterId, position.seq],
    });
    const [row] = rows;
    if (row?.is_standby !== false) {
      // After a switchover a connection may lead to the former primary, which lacks entries that its successor has.
      throw new Error(`journal of cluster ${clusterId}: a standby was asked, which may be behind`);
    }
    const oldestSeq = row?.oldest ? Number(row.oldest) : undefined;
    if (position.seq === 0) {
      return { kind: oldestSeq === undefined || oldestSeq === 1 ? 'held' : 'cut' };
    }
    if (row?.held?.equals(position.hash)) {
      return { kind: 'held' };
    }
    if (oldestSeq !== undefined && position.seq < oldestSeq) {
      return { kind: 'cut' };
    }
    const last = row?.last && row.last_hash !== null ? { seq: Number(row.last), hash: row.last_hash } : JOURNAL_START;
    return { kind: 'lost', last };
  }

  async writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    await writeSnapshot(this.#pool, clusterId, position, parts);
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
    if (previous === undefined) {
      return 0;
    }
    const previousSeq = Number(previous.seq);
    await this.#pool.query({
      name: 'journal-cut-old-snapshots',
      text: 'DELETE FROM metadata_snapshot WHERE cluster_id = $1 AND seq < $2',
      values: [clusterId, previousSeq],
    });
    const throughSeq = await this.#oldThroughSeq(clusterId, previousSeq - 1 - retain.entries, retain.ageMs);
    let dropped = 0;
    for (;;) {
      // The deleting statement itself reads how far metering has come, so it can never delete unfolded entries.
      const { rowCount } = await this.#pool.query({
        name: 'journal-cut-entries',
        text: `DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq IN (
                 SELECT seq FROM metadata_journal WHERE cluster_id = $1
                 AND seq <= LEAST($2::bigint, COALESCE((SELECT seq FROM metadata_folded WHERE cluster_id = $1), 0))
                 ORDER BY seq LIMIT $3)`,
        values: [clusterId, throughSeq, CUT_SLICE_ENTRIES],
      });
      dropped += rowCount ?? 0;
      if ((rowCount ?? 0) < CUT_SLICE_ENTRIES) {
        return dropped;
      }
    }
  }

  /** Nothing was stored: returns whether another owner was faster, or the history is a different one. */
  async #whyNotStored(clusterId: string, previous: JournalPosition): Promise<Error> {
    try {
      const status = await this.statusOf(clusterId, previous);
      return status.kind === 'lost'
        ? new HistoryLost(clusterId, previous, status.last)
        : new Fenced(clusterId, previous.seq + 1);
    } catch (cause) {
      return new AppendUncertain(clusterId, previous.seq + 1, cause);
    }
  }

  /** The last entry, up to `boundSeq`, such that it and all before it are older than `ageMs` by the database's clock. */
  async #oldThroughSeq(clusterId: string, boundSeq: number, ageMs: number): Promise<number> {
    // Not simply all old entries: a clock that was set back must not lead to a gap.
    const { rows } = await this.#pool.query<{ seq: string }>({
      name: 'journal-oldest-young',
      text: `SELECT seq FROM metadata_journal WHERE cluster_id = $1 AND seq <= $2
             AND appended_at > clock_timestamp() - $3::float8 * interval '1 millisecond' ORDER BY seq LIMIT 1`,
      values: [clusterId, boundSeq, ageMs],
    });
    const [young] = rows;
    return young === undefined ? boundSeq : Number(young.seq) - 1;
  }

  async #readPage(clusterId: string, afterSeq: number): Promise<UncheckedEntry[]> {
    const { rows } = await this.#pool.query<{ seq: string; entry: Buffer; hash: Buffer | null }>({
      name: 'journal-read-page',
      text: `SELECT seq, entry, hash FROM (
               SELECT seq, entry, hash, sum(octet_length(entry)) OVER (ORDER BY seq) - octet_length(entry) AS bytes_before
               FROM (SELECT seq, entry, hash FROM metadata_journal
                     WHERE cluster_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) page
             ) bounded WHERE bytes_before < $4 ORDER BY seq`,
      values: [clusterId, afterSeq, PAGE_ENTRIES, PAGE_BYTES],
    });
    return rows.map((row) => ({ seq: Number(row.seq), bytes: row.entry, hash: row.hash }));
  }
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
