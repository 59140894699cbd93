// `npm run fault -- clients`: real clients on a complete Penstock under faults, and a judge that shares no code with it.
//   --runs 1        how many runs, each with its own system
//   --seconds 120   how long faults strike in each run
//   --seed 1        of the first run; each later one has the next number
import { parseArgs } from 'node:util';
import { type FaultRunOutcome, runFaults } from './fault-run.ts';

const SHOWN_ANOMALIES = 20;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(durationMs: number): number {
  return Number((durationMs / 1_000).toFixed(1));
}

function show({ seed, agents, faults, clients, anomalies, historyFile }: FaultRunOutcome): void {
  say(`Seed ${seed}, ${agents} agents:`);
  for (const [fault, count] of Object.entries(faults)) {
    say(`  ${fault.padEnd(28)} ${String(count).padStart(8)}`);
  }
  say(`  ${'client'.padEnd(28)} ${'records'.padStart(8)} ${'failed'.padStart(8)} ${'longest gap'.padStart(12)}`);
  for (const { name, records, failed, longestGapMs } of clients) {
    const gap = `${seconds(longestGapMs).toFixed(1)} s`;
    say(`  ${name.padEnd(28)} ${String(records).padStart(8)} ${String(failed).padStart(8)} ${gap.padStart(12)}`);
  }
  say(`  anomalies                    ${String(anomalies.length).padStart(8)}`);
  for (const { kind, detail } of anomalies.slice(0, SHOWN_ANOMALIES)) {
    say(`  ✗ ${kind}: ${detail}`);
  }
  if (historyFile !== undefined) {
    say(`  the history: ${historyFile}`);
  }
}

/** One line for programs to parse. */
function line({ seed, seconds: length, agents, faults, clients, anomalies }: FaultRunOutcome): string {
  const acknowledged = Object.fromEntries(clients.map(({ name, records }) => [name, records]));
  const failed = Object.fromEntries(clients.map((client) => [client.name, client.failed]));
  const longestGapS = Object.fromEntries(clients.map(({ name, longestGapMs }) => [name, seconds(longestGapMs)]));
  const struck = Object.values(faults).reduce((sum, count) => sum + count, 0);
  return JSON.stringify({
    ...{ seed, seconds: length, agents, struck, faults, records: acknowledged, failed, longest_gap_s: longestGapS },
    anomalies: Object.fromEntries(
      [...Map.groupBy(anomalies, ({ kind }) => kind)].map(([kind, found]) => [kind, found.length]),
    ),
  });
}

async function main(): Promise<void> {
  const [first, runs, length] = [Number(options.seed), Number(options.runs), Number(options.seconds)];
  for (let seed = first; seed < first + runs; seed += 1) {
    const outcome = await runFaults({ seed, seconds: length }, (phase) => say(`Seed ${seed}: ${phase}`));
    show(outcome);
    say(line(outcome));
    if (outcome.anomalies.length > 0) {
      process.exitCode = 1;
    }
  }
}

// The parent process is gone, so stop everything that this run started.
process.on('disconnect', () => process.exit(143));
await main();
process.exit();
