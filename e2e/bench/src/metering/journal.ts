// The journal of a busy cluster for benchmarks: a commit of twelve runs every quarter of a second, and a mark each minute.
import { randomBytes } from 'node:crypto';
import { type Command, encodeEntry, meterOf } from '@penstock/metadata-core';
import type { Pool } from 'pg';

const RUNS_PER_ENTRY = 12;
const BYTES_PER_RUN = 20_000;
const RECORDS_PER_RUN = 40;
const ENTRY_INTERVAL_MS = 250;
const ENTRIES_PER_MINUTE = 60_000 / ENTRY_INTERVAL_MS;
const ENTRIES_PER_INSERT = 5_000;
const START_MS = Date.parse('2026-11-01T00:00:00Z');
const COMPRESSION = 4;

export interface BenchJournal {
  clusterId: string;
  entries: number;
  entryBytes: number;
  /** The expected content of the ledger once everything is folded. */
  uncompressedBytes: bigint;
  clusterMinutes: number;
}

/** Writes the journal of a new cluster. */
export async function writeJournal(pool: Pool, entries: number): Promise<BenchJournal> {
  const clusterId = crypto.randomUUID();
  await pool.query(
    `INSERT INTO organization (id, name, slug) VALUES ('bench', 'Bench', 'bench') ON CONFLICT DO NOTHING`,
  );
  await pool.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1::uuid, 'bench', $1::uuid::text, 'other', 'x', now())`,
    [clusterId],
  );
  const journal = { clusterId, entries, entryBytes: 0, uncompressedBytes: 0n, clusterMinutes: 0 };
  const topicId = randomBytes(16);
  for (let first = 0; first < entries; first += ENTRIES_PER_INSERT) {
    const stretch: Buffer[] = [];
    for (let index = first; index < Math.min(entries, first + ENTRIES_PER_INSERT); index += 1) {
      const entry = entryAt(index, topicId, journal);
      journal.entryBytes += entry.length;
      stretch.push(entry);
    }
    await pool.query(
      `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry)
       SELECT $1, $2::bigint + e.number, 'bench', e.entry FROM unnest($3::bytea[]) WITH ORDINALITY e (entry, number)`,
      [clusterId, first, stretch],
    );
  }
  await pool.query('ANALYZE metadata_journal');
  return journal;
}

function entryAt(index: number, topicId: Uint8Array, journal: BenchJournal): Buffer {
  const nowMs = START_MS + index * ENTRY_INTERVAL_MS;
  const storedBytes = RUNS_PER_ENTRY * BYTES_PER_RUN;
  const uncompressedBytes = storedBytes * COMPRESSION + (index % 1_000);
  const isMark = index % ENTRIES_PER_MINUTE === 0;
  const meter = {
    ...meterOf([]),
    files: 1,
    storedBytes,
    uncompressedBytes,
    records: RUNS_PER_ENTRY * RECORDS_PER_RUN,
    clusterMinutes: isMark ? 1 : 0,
  };
  journal.uncompressedBytes += BigInt(uncompressedBytes);
  journal.clusterMinutes += meter.clusterMinutes;
  const commands = [commitAt(nowMs, topicId)];
  if (isMark) {
    commands.push({ kind: 'minute-mark', minute: Math.floor(nowMs / 60_000), aliveAgentIds: ['agent'] });
  }
  return Buffer.from(encodeEntry({ nowMs, commands, meter }));
}

function commitAt(nowMs: number, topicId: Uint8Array): Command {
  const of = (value: (run: number) => number): number[] =>
    Array.from({ length: RUNS_PER_ENTRY }, (_, run) => value(run));
  return {
    kind: 'commit-file',
    fileId: randomBytes(16),
    fileBytes: RUNS_PER_ENTRY * BYTES_PER_RUN,
    topicIds: [topicId],
    runTopic: Uint32Array.from(of(() => 0)),
    runPartition: Uint32Array.from(of((run) => run)),
    runPosition: Float64Array.from(of((run) => run * BYTES_PER_RUN)),
    runBatches: Uint32Array.from(of(() => 1)),
    batchBytes: Uint32Array.from(of(() => BYTES_PER_RUN)),
    batchRecords: Uint32Array.from(of(() => RECORDS_PER_RUN)),
    batchMaxTimestampMs: Float64Array.from(of(() => nowMs)),
    batchUncompressedBytes: Float64Array.from(of(() => BYTES_PER_RUN * COMPRESSION)),
    producers: null,
  };
}
