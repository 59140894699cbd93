// `npm run fault -- patroni`: kills and isolates the primary of a Patroni pair under load, repeatedly, and checks every acknowledgement.
//   --kills 20        how often the primary is killed, alternating between PostgreSQL alone and the whole server
//   --partitions 4    how often it is isolated, alternating between all hosts and only etcd and the standby
//   --strict          with synchronous_mode_strict: while there is one server, no write is answered
//   --asynchronous    instead of all that, one failover that loses acknowledged commits: the cluster has to stop
import { parseArgs } from 'node:util';
import { type FaultKind, type FaultOutcome, runFaults, startSystemOn } from './support/fault-run.ts';
import { runLostTail } from './support/lost-tail-run.ts';
import { advisedTimes, PatroniPair } from './support/patroni-pair.ts';

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    partitions: { type: 'string', default: '4' },
    strict: { type: 'boolean', default: false },
    asynchronous: { type: 'boolean', default: false },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function inTurns(count: number, first: FaultKind, second: FaultKind): FaultKind[] {
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? first : second));
}

function seconds(durationMs: number): number {
  return Number((durationMs / 1_000).toFixed(1));
}

function longest(faults: readonly FaultOutcome[], ...kinds: FaultKind[]): number {
  const gaps = faults.filter(({ kind }) => kinds.includes(kind)).map(({ longestGapMs }) => longestGapMs);
  return seconds(Math.max(0, ...gaps));
}

async function faults(): Promise<void> {
  const kills = inTurns(Number(options.kills), 'postgres-killed', 'server-killed');
  const cuts = inTurns(Number(options.partitions), 'isolated', 'cut-from-pair');
  say('Starting etcd, two PostgreSQL servers under Patroni and HAProxy ...');
  const pair = await PatroniPair.start({ durability: options.strict ? 'strict' : 'synchronous', times: advisedTimes });
  try {
    say('Starting two metadata processes and two agents on it, and two idempotent producers ...');
    const system = await startSystemOn(pair);
    try {
      let count = 0;
      const outcome = await runFaults(pair, system, [...kills, ...cuts], ({ kind, longestGapMs }) => {
        count += 1;
        say(`  ${String(count).padStart(3)}  ${kind.padEnd(16)} longest gap ${seconds(longestGapMs).toFixed(1)} s`);
      });
      const { faults, acknowledged, lost, doubled, wrong } = outcome;
      for (const fault of [...wrong, ...system.deaths]) {
        say(`  ✗ ${fault}`);
      }
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
      if (lost + doubled + wrong.length + system.deaths.length > 0) {
        process.exitCode = 1;
      }
    } finally {
      await system.stop();
    }
  } finally {
    await pair.stop();
  }
}

async function lostTail(): Promise<void> {
  say('Starting etcd, an asynchronous pair of PostgreSQL servers under Patroni, and HAProxy ...');
  const pair = await PatroniPair.start({ durability: 'asynchronous', times: advisedTimes });
  try {
    say('Starting two metadata processes and two agents on it ...');
    const system = await startSystemOn(pair);
    try {
      const outcome = await runLostTail(pair, system, say);
      for (const fault of outcome.wrong) {
        say(`  ✗ ${fault}`);
      }
      say(
        JSON.stringify({
          acknowledged_before: outcome.acknowledgedBefore,
          lost_of_before: outcome.lostOfBefore,
          acknowledged_in_lost_tail: outcome.acknowledgedInTail,
          acknowledged_after: outcome.acknowledgedAfter,
          stopped_after_s: seconds(outcome.stoppedAfterMs),
          objects: outcome.objects,
          objects_deleted_while_stopped: outcome.objectsDeletedWhileStopped,
          objects_of_lost_tail_deleted: outcome.objectsOfTailDeleted,
          wrong: outcome.wrong.length,
        }),
      );
      const { lostOfBefore, objectsDeletedWhileStopped, objectsOfTailDeleted, wrong } = outcome;
      if (lostOfBefore + objectsDeletedWhileStopped + objectsOfTailDeleted + wrong.length > 0) {
        process.exitCode = 1;
      }
    } finally {
      await system.stop();
    }
  } finally {
    await pair.stop();
  }
}

// The parent process is gone, so stop everything that this run started.
process.on('disconnect', () => process.exit(143));
await (options.asynchronous ? lostTail() : faults());
process.exit();
