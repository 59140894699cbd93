// `npm run fault -- merging`: merging and compaction with real clients while agents, the owner and the S3 server are killed with kill -9, and
// the checker's judge. Prints the faults, the outcomes of the jobs and one line of JSON; fails if a guarantee was broken.
//   --minutes 30           how long faults strike
//   --seed 1
//   --records-per-s 60     per producer
import { parseArgs } from 'node:util';
import { type MergingRunOutcome, runMerging } from './merging-run.ts';

/** Maximum number of anomalies to print per kind. */
const SHOWN_ANOMALIES = 8;
const WIDE = 32;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    'records-per-s': { type: 'string', default: '60' },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function row(name: string, ...cells: (string | number)[]): void {
  say(`  ${name.padEnd(WIDE)}${cells.map((cell) => String(cell).padStart(11)).join('')}`);
}

function seconds(durationMs: number): number {
  return Number((durationMs / 1_000).toFixed(1));
}

function show({ faults, jobs, bucket, clients, again, usage, anomalies, historyFile }: MergingRunOutcome): void {
  say('Faults');
  for (const [fault, count] of Object.entries(faults)) {
    row(fault, count);
  }
  say('Jobs');
  row('level', 'handed out', 'applied', 'lost', 'stale', 'invalid');
  for (const [level, { handedOut, applied, lost, stale, invalid }] of Object.entries(jobs)) {
    row(level, handedOut, applied, lost, stale, invalid);
  }
  if (bucket !== undefined) {
    say('Files and runs');
    for (const [kind, count] of Object.entries(bucket.files)) {
      row(`files, ${kind}`, count);
    }
    row('files left', bucket.filesLeft);
    row('runs written', bucket.runs);
    row('runs left', bucket.runsLeft);
    row('objects of no commit', bucket.orphans);
  }
  say('Clients');
  row('client', 'records', 'failed', 'longest gap');
  for (const { name, records, failed, longestGapMs } of clients) {
    row(name, records, failed, `${seconds(longestGapMs).toFixed(1)} s`);
  }
  row('again', again.records, `${again.passes} passes`);
  row('at random places', `${again.seeks} seeks`);
  row('slowly', again.slowRecords);
  if (usage !== undefined) {
    row('metered', usage.records, `${usage.storedBytes} B`);
  }
  row('anomalies', anomalies.length);
  for (const [kind, found] of Map.groupBy(anomalies, (anomaly) => anomaly.kind)) {
    for (const { detail } of found.slice(0, SHOWN_ANOMALIES)) {
      say(`  ✗ ${kind}: ${detail}`);
    }
  }
  if (historyFile !== undefined) {
    say(`  the history: ${historyFile}`);
  }
}

/** One line for programs to parse. */
function line({
  seed,
  seconds: length,
  faults,
  jobs,
  bucket,
  clients,
  again,
  usage,
  anomalies,
}: MergingRunOutcome): string {
  const { missing, undeleted, ...files } = bucket ?? { missing: [], undeleted: [] };
  return JSON.stringify({
    ...{ seed, seconds: length, faults, jobs, bucket: files, again, usage },
    records: Object.fromEntries(clients.map(({ name, records }) => [name, records])),
    longest_gap_s: Object.fromEntries(clients.map(({ name, longestGapMs }) => [name, seconds(longestGapMs)])),
    anomalies: Object.fromEntries(
      [...Map.groupBy(anomalies, ({ kind }) => kind)].map(([kind, found]) => [kind, found.length]),
    ),
  });
}

async function main(): Promise<void> {
  const beganMs = Date.now();
  const outcome = await runMerging(
    {
      seed: Number(options.seed),
      seconds: Math.round(Number(options.minutes) * 60),
      recordsPerS: Number(options['records-per-s']),
    },
    (phase) =>
      say(
        `${seconds(Date.now() - beganMs)
          .toFixed(1)
          .padStart(7)} s: ${phase}`,
      ),
  );
  show(outcome);
  say(line(outcome));
  if (outcome.anomalies.length > 0) {
    process.exitCode = 1;
  }
}

// The parent process is gone, so stop everything that this run started.
process.on('disconnect', () => process.exit(143));
await main();
process.exit();
