// `npm run fault:ecosystem`: Kafka Streams with a table whose state is deleted, Kafka Connect with restarts, and a schema registry with an
// empty cache, all with `kill -9`, on topics that are compacted in between. Prints each topic's contents after each round: compacted ones
// stop growing.
//   --restarts 10          of the Connect worker
//   --rounds 5             of updates to the table, and of registrations
//   --no-compaction        do not wait for compaction, which takes minutes
import { parseArgs } from 'node:util';
import { runEcosystem } from './ecosystem-run.ts';
import type { RoundReport } from './rounds.ts';

const { values: options } = parseArgs({
  options: {
    restarts: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    'no-compaction': { type: 'boolean', default: false },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const beganMs = Date.now();

function sayRound({ part, round, figures, sizes }: RoundReport): void {
  const told = Object.entries(figures).map(([name, value]) => `${value} ${name}`);
  say(`${part}, round ${round}, after ${Math.round((Date.now() - beganMs) / 1_000)} s: ${told.join(', ')}`);
  for (const [topic, { written, storedBytes }] of sizes) {
    say(`  ${topic}: ${written} records written, ${storedBytes} bytes stored`);
  }
}

const rounds = Number(options.rounds);
const { reports, wrong } = await runEcosystem(
  {
    tableRounds: rounds,
    registryRounds: rounds,
    connectRestarts: Number(options.restarts),
    compacts: !options['no-compaction'],
  },
  sayRound,
  (fault) => say(`✗ ${fault}`),
);
say(JSON.stringify({ rounds: reports.length, wrong: wrong.length }));
process.exitCode = wrong.length === 0 ? 0 : 1;
