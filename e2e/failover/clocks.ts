// `npm run fault -- clocks`: metadata processes with clocks a day ahead and a day behind, and a suspended one, under load.
//   --suspended-s 30   how long it is suspended
import { parseArgs } from 'node:util';
import { runClockFaults } from './support/clock-run.ts';

/** The default of the service. */
const LEASE_TTL_MS = 5_000;
/** Writes resume within this time after each event. */
const LIMIT_MS = 15_000;

const { values: options } = parseArgs({ options: { 'suspended-s': { type: 'string', default: '30' } } });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(durationMs: number): number {
  return Number((durationMs / 1_000).toFixed(1));
}

async function main(): Promise<void> {
  say('Starting four metadata processes, and agents that commit ...');
  const suspensionMs = Number(options['suspended-s']) * 1_000;
  const { events, acknowledged, lost, wrong } = await runClockFaults(
    { leaseTtlMs: LEASE_TTL_MS, suspension_ms: suspensionMs, waitsForMinute: true },
    ({ what, longestGapMs }) => say(`  ${what}: longest gap ${seconds(longestGapMs).toFixed(1)} s`),
  );
  for (const fault of wrong) {
    say(`  ✗ ${fault}`);
  }
  const longestGapMs = Math.max(...events.map((event) => event.longestGapMs));
  say(
    JSON.stringify({
      events: events.length,
      acknowledged,
      lost,
      wrong: wrong.length,
      longest_gap_s: seconds(longestGapMs),
      lease_ttl_s: seconds(LEASE_TTL_MS),
      suspended_s: seconds(suspensionMs),
    }),
  );
  if (lost + wrong.length > 0 || longestGapMs > LIMIT_MS) {
    process.exitCode = 1;
  }
}

// The parent process is gone, so stop everything that this run started.
process.on('disconnect', () => process.exit(143));
await main();
process.exit();
