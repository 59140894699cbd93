// `npm run fault:clocks`: metadata processes whose clocks are a day ahead, a day behind, and one that is suspended, under load.
//   --suspended-s 30   how long it is suspended
import { parseArgs } from 'node:util';
import { runClockFaults } from './support/clock-run.ts';

/** What the service has by default. */
const leaseTtl_ms = 5_000;
/** Writes go on within this after each event. */
const limit_ms = 15_000;

const { values: options } = parseArgs({ options: { 'suspended-s': { type: 'string', default: '30' } } });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(duration_ms: number): number {
  return Number((duration_ms / 1_000).toFixed(1));
}

async function main(): Promise<void> {
  say('Starting four metadata processes, and agents that commit ...');
  const suspension_ms = Number(options['suspended-s']) * 1_000;
  const { events, acknowledged, lost, wrong } = await runClockFaults(
    { leaseTtl_ms, suspension_ms, waitsForMinute: true },
    ({ what, longestGap_ms }) => say(`  ${what}: longest gap ${seconds(longestGap_ms).toFixed(1)} s`),
  );
  for (const fault of wrong) say(`  ✗ ${fault}`);
  const longestGap_ms = Math.max(...events.map((event) => event.longestGap_ms));
  say(
    JSON.stringify({
      events: events.length,
      acknowledged,
      lost,
      wrong: wrong.length,
      longest_gap_s: seconds(longestGap_ms),
      lease_ttl_s: seconds(leaseTtl_ms),
      suspended_s: seconds(suspension_ms),
    }),
  );
  if (lost + wrong.length > 0 || longestGap_ms > limit_ms) process.exitCode = 1;
}

// Whoever started this is gone: what it started ends with it.
process.on('disconnect', () => process.exit(143));
await main();
process.exit();
