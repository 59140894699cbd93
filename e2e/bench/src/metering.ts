// `npm run bench -- metering`: how fast a journal of a million entries is folded into the usage ledger, and in how much memory, against one
// UPSERT per entry.
import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Pool } from 'pg';
import { describeMachine } from './machine.ts';
import { startBenchServer } from './metadata/bench-server.ts';
import type { FoldRun } from './metering/fold-process.ts';
import { type BenchJournal, writeJournal } from './metering/journal.ts';
import { measureUpserts } from './metering/upsert-baseline.ts';
import { reportResult, rounded } from './results.ts';

const ENTRIES = 1_000_000;
/** Its speed does not depend on their number, and a million would take minutes. */
const BASELINE_ENTRIES = 20_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function fold(databaseUrl: string, clusterId: string): Promise<FoldRun> {
  const script = fileURLToPath(new URL('metering/fold-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, databaseUrl, clusterId]);
  return JSON.parse(stdout) as FoldRun;
}

/** @throws when the ledger differs from the journal: a fast fold that loses bytes is worthless */
async function requireExact(pool: Pool, journal: BenchJournal): Promise<void> {
  const { rows } = await pool.query<{ bytes: string; minutes: string }>(
    'SELECT sum(uncompressed_bytes) AS bytes, sum(cluster_minutes) AS minutes FROM usage_hour WHERE cluster_id = $1',
    [journal.clusterId],
  );
  const [row] = rows;
  if (row?.bytes !== String(journal.uncompressedBytes) || row.minutes !== String(journal.clusterMinutes)) {
    throw new Error(`the ledger has ${row?.bytes} bytes and ${row?.minutes} minutes, not what was journaled`);
  }
}

say('Starting a PostgreSQL of its own with default durability ...');
const loadBefore = loadavg()[0] ?? 0;
const server = await startBenchServer();
const pool = new Pool({ connectionString: server.url, max: 2 });
try {
  say(`Writing a journal of ${ENTRIES.toLocaleString('en')} entries ...`);
  const journal = await writeJournal(pool, ENTRIES);
  const small = await writeJournal(pool, BASELINE_ENTRIES);
  const run = await fold(server.url, journal.clusterId);
  await requireExact(pool, journal);
  const entriesPerSecond = run.foldedEntries / run.seconds;
  const baseline = await measureUpserts(pool, small.clusterId);
  await requireExact(pool, small);
  // In the first half the heap grows to the runtime's limit before it collects; a leak would show in the second.
  const half = run.rssMib[Math.floor(run.rssMib.length / 2) - 1] ?? 0;
  const last = run.rssMib.at(-1) ?? 0;
  say(
    `\n  folded ${run.foldedEntries.toLocaleString('en')} entries of ${Math.round(journal.entryBytes / ENTRIES)} bytes in ${run.seconds.toFixed(1)} s`,
  );
  say(
    `  ${Math.round(entriesPerSecond).toLocaleString('en')} entries/s; one UPSERT per entry: ${Math.round(baseline).toLocaleString('en')}`,
  );
  say(`  ratio: ${(entriesPerSecond / baseline).toFixed(1)}`);
  say(
    `  memory: peak ${run.peakRssMib.toFixed(0)} MiB; ${half.toFixed(0)} MiB after a half, ${last.toFixed(0)} MiB at the end\n`,
  );
  await reportResult('metering', {
    entries: run.foldedEntries,
    seconds: rounded(run.seconds, 2),
    entries_per_s: rounded(entriesPerSecond),
    baseline_entries_per_s: rounded(baseline),
    ratio: rounded(entriesPerSecond / baseline, 1),
    peak_rss_mib: rounded(run.peakRssMib, 1),
    rss_at_half_mib: rounded(half, 1),
    rss_growth_mib: rounded(last - half, 1),
    rss_mib: run.rssMib.map((sample) => rounded(sample, 1)),
    entry_bytes: rounded(journal.entryBytes / ENTRIES),
    baseline_entries: BASELINE_ENTRIES,
    load_average_before: rounded(loadBefore, 2),
    machine: { ...(await describeMachine()), postgresql: server.version },
  });
} finally {
  await pool.end();
  await server.stop();
}
