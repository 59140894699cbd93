// A separate process that folds one journal as the worker does, so that its memory is the fold's alone. Arguments: database URL, cluster
// id. Prints one line of JSON: a memory sample every so many entries, and the elapsed time.
import { foldJournal } from '@penstock/billing';
import { Pool } from 'pg';

/** Often enough to see a slope over a run of a million entries. */
const ENTRIES_PER_SAMPLE = 50_000;
const BYTES_PER_MIB = 2 ** 20;

export interface FoldRun {
  seconds: number;
  foldedEntries: number;
  peakRssMib: number;
  /** One per ENTRIES_PER_SAMPLE entries, in order. */
  rssMib: number[];
}

const [databaseUrl, clusterId = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl, max: 1 });
const run: FoldRun = { seconds: 0, foldedEntries: 0, peakRssMib: 0, rssMib: [] };
const started = performance.now();
for (;;) {
  const { foldedEntries, isCaughtUp } = await foldJournal(pool, { pool: () => pool }, clusterId);
  if (isCaughtUp) {
    break;
  }
  run.foldedEntries += foldedEntries;
  if (run.foldedEntries >= (run.rssMib.length + 1) * ENTRIES_PER_SAMPLE) {
    run.rssMib.push(process.memoryUsage.rss() / BYTES_PER_MIB);
  }
}
run.seconds = (performance.now() - started) / 1_000;
// maxRSS is in KiB.
run.peakRssMib = process.resourceUsage().maxRSS / 1_024;
await pool.end();
process.stdout.write(`${JSON.stringify(run)}\n`);
