// Copies a cluster's rows from one cell to another while its owner keeps writing: unchanged, row by row, resuming where it stopped. The
// target's lease row says which mover may write there.
import type { Pool, PoolClient } from 'pg';
import { JOURNAL_START, type JournalPosition } from '../position.ts';
import { markFolded } from '../postgres/journal-queries.ts';
import { PostgresJournal } from '../postgres/postgres-journal.ts';
import { cellColumns } from './init-cell.ts';

/** Limits of a transaction in the target. */
const PAGE_ENTRIES = 500;
const PAGE_BYTES = 8 * 1024 * 1024;
/** Rows of dead files in a transaction. */
const PAGE_FILES = 5_000;
/** Entries whose digest one statement computes. */
const DIGEST_ENTRIES = 10_000;

/** No UUID sorts before it. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Another run of the command has taken this move over; this one must stop. */
export class MoveSuperseded extends Error {
  override readonly name = 'MoveSuperseded';

  constructor(clusterId: string) {
    super(`another mover works on cluster ${clusterId}`);
  }
}

/** The target's rows differ from the source's. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';

  constructor(clusterId: string, firstSeq: bigint, lastSeq: bigint) {
    super(`cluster ${clusterId}: entries ${firstSeq} to ${lastSeq} are not the same in both cells`);
  }
}

export interface CopyOptions {
  source: Pool;
  target: Pool;
  clusterId: string;
  mover: string;
}

interface Extent {
  first: bigint;
  last: bigint;
  count: bigint;
}

export class ClusterCopy {
  readonly #options: CopyOptions;
  /** The last entry in the target; 0: none. */
  #lastSeq = 0n;
  /** Entries up to this one have been compared. */
  #verifiedSeq = 0n;
  /** The hash chain has been checked up to here; undefined: not yet. */
  #chained: JournalPosition | undefined;
  /** The last copied dead file, in the order in which files are added. */
  #lastDeadFile = { deleteAfter: '-infinity', fileId: FIRST_ID };
  #copiedEntries = 0;
  #copiedBytes = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  get copiedEntries(): number {
    return this.#copiedEntries;
  }

  get copiedBytes(): number {
    return this.#copiedBytes;
  }

  /**
   * Finds where an interrupted copy stopped, and removes everything else that the target holds of the cluster.
   * @param mayContinue the rows come from an interrupted move from the same source
   */
  async begin(mayContinue: boolean): Promise<void> {
    const { source, target, clusterId } = this.#options;
    const extent = await extentOf(target, clusterId);
    const isWhole = extent !== undefined && extent.count === extent.last - extent.first + 1n;
    if (mayContinue && isWhole && (await isSameEntry(source, target, clusterId, extent.last))) {
      this.#lastSeq = extent.last;
      return;
    }
    await this.#clear();
  }

  /** Copies what the source holds now. Resolves with the number of entries copied. */
  async catchUp(): Promise<number> {
    const before = this.#copiedEntries;
    await this.#copySnapshots();
    await this.copyTail();
    await this.copyDeadFiles();
    const { source, target, clusterId } = this.#options;
    const { rows } = await source.query<{ seq: string }>('SELECT seq FROM metadata_folded WHERE cluster_id = $1', [
      clusterId,
    ]);
    if (rows[0] !== undefined) {
      await markFolded(target, [{ clusterId, foldedSeq: BigInt(rows[0].seq) }]);
    }
    return this.#copiedEntries - before;
  }

  /** Copies only the entries added since the last call, for the phase in which every moment counts. */
  async copyTail(): Promise<void> {
    for (;;) {
      const page = await this.#readPage();
      const [first] = page;
      if (first === undefined) {
        return;
      }
      // The source was cut meanwhile, beyond what had been copied: the older entries are useless without the missing ones.
      if (this.#lastSeq > 0n && BigInt(first['seq'] as string) !== this.#lastSeq + 1n) {
        await this.#clear();
        await this.#copySnapshots();
        continue;
      }
      await this.#write((client) => insertRows(client, 'metadata_journal', page));
      this.#lastSeq = BigInt(page.at(-1)?.['seq'] as string);
      this.#copiedEntries += page.length;
      this.#copiedBytes += page.reduce((sum, row) => sum + (row['entry'] as Buffer).length, 0);
    }
  }

  /**
   * Copies the dead files added since the last call. One that is removed from the source meanwhile stays in the target: deleting its
   * object again does nothing.
   */
  async copyDeadFiles(): Promise<void> {
    const { source, clusterId } = this.#options;
    const columns = await selectList('metadata_dead_file');
    for (;;) {
      const { deleteAfter, fileId } = this.#lastDeadFile;
      const { rows } = await source.query<Record<string, unknown>>(
        `SELECT ${columns} FROM metadata_dead_file dead
         WHERE dead.cluster_id = $1 AND (dead.delete_after, dead.file_id) > ($2::timestamptz, $3::uuid)
         ORDER BY dead.delete_after, dead.file_id LIMIT $4`,
        [clusterId, deleteAfter, fileId, PAGE_FILES],
      );
      const last = rows.at(-1);
      if (last === undefined) {
        return;
      }
      await this.#write((client) => insertRows(client, 'metadata_dead_file', rows));
      this.#lastDeadFile = { deleteAfter: String(last['delete_after']), fileId: String(last['file_id']) };
    }
  }

  /**
   * Compares what was copied since the last call, entry by entry, and checks the hash chain from where a recovery would read it.
   * @throws CopyDiffers; HistoryLost, JournalDamaged when the source itself is damaged
   */
  async verify(): Promise<void> {
    await this.#compare();
    const { target, clusterId } = this.#options;
    const journal = new PostgresJournal(target);
    const newest = this.#chained === undefined ? await journal.readSnapshot(clusterId) : undefined;
    const older = newest && (await journal.readSnapshot(clusterId, newest.position.seq));
    this.#chained ??= (older ?? newest)?.position ?? JOURNAL_START;
    for await (const { seq, hash } of journal.read(clusterId, this.#chained)) {
      this.#chained = { seq, hash };
    }
  }

  async #compare(): Promise<void> {
    const { source, target, clusterId } = this.#options;
    while (this.#verifiedSeq < this.#lastSeq) {
      const first = this.#verifiedSeq + 1n;
      const last = min(this.#verifiedSeq + BigInt(DIGEST_ENTRIES), this.#lastSeq);
      const [copied, original] = await Promise.all([
        digestOf(target, clusterId, first, last),
        digestOf(source, clusterId, first, last),
      ]);
      if (!copied.digest.equals(original.digest)) {
        // The source may have been cut since it was copied; then only the target holds the older entries.
        const cutThrough = (await extentOf(source, clusterId))?.first ?? last + 1n;
        if (cutThrough <= first) {
          throw new CopyDiffers(clusterId, first, last);
        }
        this.#verifiedSeq = min(cutThrough - 1n, last);
        continue;
      }
      this.#verifiedSeq = last;
    }
  }

  async #readPage(): Promise<Record<string, unknown>[]> {
    const columns = await selectList('metadata_journal');
    const { rows } = await this.#options.source.query<Record<string, unknown>>(
      `SELECT ${columns} FROM (
         SELECT *, sum(octet_length(entry)) OVER (ORDER BY seq) - octet_length(entry) AS bytes_before
         FROM (SELECT * FROM metadata_journal WHERE cluster_id = $1 AND seq > $2 ORDER BY seq LIMIT $3) page
       ) bounded WHERE bytes_before < $4 ORDER BY bounded.seq`,
      [this.#options.clusterId, this.#lastSeq.toString(), PAGE_ENTRIES, PAGE_BYTES],
    );
    return rows;
  }

  /** Copies the two newest snapshots, which a cut leaves, and removes older ones from the target. */
  async #copySnapshots(): Promise<void> {
    const { source, target, clusterId } = this.#options;
    const wanted = await wholeSnapshots(source, clusterId);
    const present = new Set(await wholeSnapshots(target, clusterId));
    for (const seq of wanted) {
      if (!present.has(seq)) {
        await this.#copySnapshot(seq);
      }
    }
    await this.#write((client) =>
      client.query('DELETE FROM metadata_snapshot WHERE cluster_id = $1 AND NOT seq = ANY($2::bigint[])', [
        clusterId,
        wanted,
      ]),
    );
  }

  /** A snapshot that the owner replaces during the copy stays incomplete, so it is never used; the next round removes it. */
  async #copySnapshot(seq: string): Promise<void> {
    const { source, clusterId } = this.#options;
    const columns = await selectList('metadata_snapshot');
    for (let part = 0; ; part += 1) {
      const { rows } = await source.query<Record<string, unknown>>(
        `SELECT ${columns} FROM metadata_snapshot WHERE cluster_id = $1 AND seq = $2 AND part = $3`,
        [clusterId, seq, part],
      );
      if (rows[0] === undefined) {
        return;
      }
      await this.#write(async (client) => {
        if (part === 0) {
          await client.query('DELETE FROM metadata_snapshot WHERE cluster_id = $1 AND seq = $2', [clusterId, seq]);
        }
        await insertRows(client, 'metadata_snapshot', rows);
      });
    }
  }

  async #clear(): Promise<void> {
    await this.#write(async (client) => {
      for (const table of ['metadata_snapshot', 'metadata_journal', 'metadata_folded', 'metadata_dead_file']) {
        await client.query(`DELETE FROM ${table} WHERE cluster_id = $1`, [this.#options.clusterId]);
      }
    });
    this.#lastSeq = 0n;
    this.#lastDeadFile = { deleteAfter: '-infinity', fileId: FIRST_ID };
    this.#verifiedSeq = 0n;
    this.#chained = undefined;
  }

  /** Runs a transaction in the target, if this mover may still write there. @throws MoveSuperseded */
  async #write(work: (client: PoolClient) => Promise<unknown>): Promise<void> {
    const { target, clusterId, mover } = this.#options;
    const client = await target.connect();
    try {
      await client.query('BEGIN');
      const claim = await client.query(
        `SELECT 1 FROM metadata_lease WHERE cluster_id = $1 AND placement = 'arriving' AND mover = $2 FOR UPDATE`,
        [clusterId, mover],
      );
      if (claim.rowCount !== 1) {
        throw new MoveSuperseded(clusterId);
      }
      await work(client);
      await client.query('COMMIT');
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }
}

function min(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** Selects everything but bytes as text, so that a row arrives unchanged, microseconds included. */
async function selectList(table: string): Promise<string> {
  const columns = await columnsOf(table);
  return columns.map((name) => (BYTES.has(name) ? name : `${name}::text AS ${name}`)).join(', ');
}

/** The columns of type bytea. */
const BYTES: ReadonlySet<string> = new Set(['entry', 'bytes', 'hash']);

async function columnsOf(table: string): Promise<string[]> {
  const columns = await cellColumns();
  return columns.filter((name) => name.startsWith(`${table}.`)).map((name) => name.slice(table.length + 1));
}

async function insertRows(client: PoolClient, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const columns = await columnsOf(table);
  const values = rows.map(
    (_, row) => `(${columns.map((_name, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
  );
  await client.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.join(', ')} ON CONFLICT DO NOTHING`,
    rows.flatMap((row) => columns.map((name) => row[name])),
  );
}

async function extentOf(pool: Pool, clusterId: string): Promise<Extent | undefined> {
  const { rows } = await pool.query<{ first: string | null; last: string | null; count: string }>(
    'SELECT min(seq) AS first, max(seq) AS last, count(*) FROM metadata_journal WHERE cluster_id = $1',
    [clusterId],
  );
  const [row] = rows;
  if (row?.first == null || row.last == null) {
    return undefined;
  }
  return { first: BigInt(row.first), last: BigInt(row.last), count: BigInt(row.count) };
}

async function digestOf(pool: Pool, clusterId: string, first: bigint, last: bigint): Promise<{ digest: Buffer }> {
  const { rows } = await pool.query<{ digest: Buffer | null }>(
    `SELECT sha256(string_agg(int8send(seq) || sha256(entry) || COALESCE(hash, ''), ''::bytea ORDER BY seq)) AS digest
     FROM metadata_journal WHERE cluster_id = $1 AND seq BETWEEN $2 AND $3`,
    [clusterId, first.toString(), last.toString()],
  );
  return { digest: rows[0]?.digest ?? Buffer.alloc(0) };
}

async function isSameEntry(source: Pool, target: Pool, clusterId: string, seq: bigint): Promise<boolean> {
  const [copied, original] = await Promise.all([
    digestOf(target, clusterId, seq, seq),
    digestOf(source, clusterId, seq, seq),
  ]);
  return copied.digest.equals(original.digest);
}

async function wholeSnapshots(pool: Pool, clusterId: string): Promise<string[]> {
  const { rows } = await pool.query<{ seq: string }>(
    `SELECT seq FROM metadata_snapshot WHERE cluster_id = $1
     GROUP BY seq HAVING count(*) = max(parts) ORDER BY seq DESC LIMIT 2`,
    [clusterId],
  );
  return rows.map((row) => row.seq);
}
