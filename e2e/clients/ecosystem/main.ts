// `npm run fault -- ecosystem`: Kafka Streams with a table whose state is deleted, Kafka Connect with restarts, Kafka Connect with an
// exactly-once source, a schema registry with an empty cache, and MirrorMaker 2 from Apache Kafka, exactly once, all with
// `kill -9`, and Apache Flink with failures, on topics that are compacted in between. Prints each topic's contents after each
// round: compacted ones stop growing. With PENSTOCK_E2E_TARGET=kafka and --no-compaction the same runs on an Apache Kafka.
//   --restarts 10          of each Connect worker
//   --rounds 5             of updates to the table, and of registrations
//   --mirror-rounds 3      of records and configs that MirrorMaker copies
//   --flink-rounds 3       of records that Flink copies, with a failure each
//   --only connect         of the parts table, connect, once, registry, mirror and flink
//   --no-compaction        do not wait for compaction, which takes minutes
import { parseArgs } from 'node:util';
import { runEcosystem } from './ecosystem-run.ts';
import type { RoundReport } from './rounds.ts';

const { values: options } = parseArgs({
  options: {
    restarts: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    'mirror-rounds': { type: 'string', default: '3' },
    'flink-rounds': { type: 'string', default: '3' },
    only: { type: 'string' },
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
const roundsOf = (part: string, wanted: number): number =>
  options.only === undefined || options.only === part ? wanted : 0;
const { reports, wrong } = await runEcosystem(
  {
    tableRounds: roundsOf('table', rounds),
    registryRounds: roundsOf('registry', rounds),
    connectRestarts: roundsOf('connect', Number(options.restarts)),
    onceRestarts: roundsOf('once', Number(options.restarts)),
    mirrorRounds: roundsOf('mirror', Number(options['mirror-rounds'])),
    flinkRounds: roundsOf('flink', Number(options['flink-rounds'])),
    compacts: !options['no-compaction'],
  },
  sayRound,
  (fault) => say(`✗ ${fault}`),
);
say(JSON.stringify({ rounds: reports.length, wrong: wrong.length }));
process.exitCode = wrong.length === 0 ? 0 : 1;
