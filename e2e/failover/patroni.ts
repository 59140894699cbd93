// `npm run fault:patroni`: kills and cuts off the primary of a Patroni pair under load, again and again, and checks every acknowledgement.
//   --kills 20        how often the primary is killed, in turns PostgreSQL alone and the whole server
//   --partitions 4    how often it is cut off, in turns from everybody and from etcd and the standby alone
//   --strict          with synchronous_mode_strict: while there is one server, no write is answered
import { parseArgs } from 'node:util';
import { type FaultKind, type FaultOutcome, runFaults, startSystemOn } from './support/fault-run.ts';
import { advisedTimes, PatroniPair } from './support/patroni-pair.ts';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    partitions: { type: 'string', default: '4' },
    strict: { type: 'boolean', default: false },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function inTurns(count: number, first: FaultKind, second: FaultKind): FaultKind[] {
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? first : second));
}

function seconds(duration_ms: number): number {
  return Number((duration_ms / 1_000).toFixed(1));
}

function longest(faults: readonly FaultOutcome[], ...kinds: FaultKind[]): number {
  const gaps = faults.filter(({ kind }) => kinds.includes(kind)).map(({ longestGap_ms }) => longestGap_ms);
  return seconds(Math.max(0, ...gaps));
}

async function main(): Promise<void> {
  const kills = inTurns(Number(options.kills), 'postgres-killed', 'server-killed');
  const cuts = inTurns(Number(options.partitions), 'isolated', 'cut-from-pair');
  say('Starting etcd, two PostgreSQL servers under Patroni and HAProxy ...');
  const pair = await PatroniPair.start({ durability: options.strict ? 'strict' : 'synchronous', times: advisedTimes });
  try {
    say('Starting two metadata processes and two agents on it, and two idempotent producers ...');
    const system = await startSystemOn(pair);
    try {
      let count = 0;
      const outcome = await runFaults(pair, system, [...kills, ...cuts], ({ kind, longestGap_ms }) => {
        count += 1;
        say(`  ${String(count).padStart(3)}  ${kind.padEnd(16)} longest gap ${seconds(longestGap_ms).toFixed(1)} s`);
      });
      const { faults, acknowledged, lost, doubled, wrong } = outcome;
      for (const fault of [...wrong, ...system.deaths]) say(`  ✗ ${fault}`);
      say(
        JSON.stringify({
          kills: kills.length,
          partitions: cuts.length,
          strict: options.strict,
          acknowledged,
          lost,
          doubled,
          longest_gap_s: longest(faults, 'postgres-killed', 'server-killed', 'isolated', 'cut-from-pair'),
          longest_gap_postgres_killed_s: longest(faults, 'postgres-killed'),
          longest_gap_server_killed_s: longest(faults, 'server-killed'),
          longest_gap_isolated_s: longest(faults, 'isolated'),
          longest_gap_cut_from_pair_s: longest(faults, 'cut-from-pair'),
          ttl_s: advisedTimes.ttl_s,
        }),
      );
      if (lost + doubled + wrong.length + system.deaths.length > 0) process.exitCode = 1;
    } finally {
      await system.stop();
    }
  } finally {
    await pair.stop();
  }
}

// Whoever started this is gone: what it started ends with it.
process.on('disconnect', () => process.exit(143));
await main();
process.exit();
