// `npm run bench -- rolling-restart`: a rolling restart of large consumer groups with three client libraries, here and on Apache Kafka in the same
// run, and the same restart from the classic protocol to the consumer protocol. Heartbeat intervals are the defaults of both: five seconds.
//   --members 20 --partitions 500   size of each group
//   --clients java,librdkafka,franz-go
//   --changes restart,migrate       migrate: the members leave with the classic protocol and come back with the consumer protocol
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildAgent } from '../../../infra/local/build.ts';
import type { MemberClient } from '../../clients/consumer-groups/group-members.ts';
import { createTopic } from '../../clients/support/topics.ts';
import type { Server } from './agent-load.ts';
import { describeMachine } from './machine.ts';
import { reportResult, rounded } from './results.ts';
import { RollingGroup, type RollResult } from './rolling-restart/roll.ts';
import { withKafka, withPenstock } from './servers.ts';

type Change = 'restart' | 'migrate';

const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '20' },
    partitions: { type: 'string', default: '500' },
    clients: { type: 'string', default: 'java,librdkafka,franz-go' },
    changes: { type: 'string', default: 'restart,migrate' },
  },
});
const clients = options.clients.split(',') as MemberClient[];
const changes = options.changes.split(',') as Change[];
const [members, partitions] = [Number(options.members), Number(options.partitions)];

interface Row {
  system: string;
  client: MemberClient;
  change: Change;
  /** Or why the client did not come to the end, for example because its library does not support the change. */
  result: RollResult | Error;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Starts the groups one after another, then restarts their members concurrently: most of a restart is waiting for
 * heartbeats.
 */
async function rollAll(server: Server, change: Change): Promise<Row[]> {
  const groups: { client: MemberClient; rolling: RollingGroup }[] = [];
  try {
    for (const client of clients) {
      const group = `${change}-${client}`;
      await createTopic(server.bootstrap, group, partitions);
      const protocols = { before: change === 'migrate' ? 'classic' : 'consumer', after: 'consumer' } as const;
      const rolling = await RollingGroup.start({ client, protocols, group, members, partitions }, server.bootstrap);
      groups.push({ client, rolling });
    }
    return await Promise.all(
      groups.map(async ({ client, rolling }) => {
        const onRestart = (done: number, evenMs: number): void =>
          say(`  ${server.name}, ${change}, ${client}: ${done} of ${members}, ${seconds(evenMs)} s`);
        const result = await rolling.restartAll(onRestart).catch((error: unknown) => {
          say(`  ${server.name}, ${change}, ${client}: ${String(error)}`);
          return error instanceof Error ? error : new Error(String(error));
        });
        return { system: server.name, client, change, result };
      }),
    );
  } finally {
    await Promise.all(groups.map(({ rolling }) => rolling.stop()));
  }
}

async function measure(server: Server): Promise<Row[]> {
  const rows: Row[] = [];
  for (const change of changes) {
    rows.push(...(await rollAll(server, change)));
  }
  return rows;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function figures(result: RollResult) {
  const times = result.restarts.map(({ evenMs }) => evenMs);
  return {
    start_s: rounded(result.startMs / 1_000, 1),
    restart_p50_s: rounded(percentile(times, 0.5) / 1_000, 1),
    restart_max_s: rounded(percentile(times, 1) / 1_000, 1),
    all_restarts_s: rounded(times.reduce((sum, ms) => sum + ms, 0) / 1_000, 1),
    leave_p50_ms: rounded(
      percentile(
        result.restarts.map(({ leftMs }) => leftMs),
        0.5,
      ),
    ),
    partitions_moved: result.moved,
    conflicts: result.conflicts,
    owned_once: result.ownedOnce,
    records_sent: result.sent,
    records_lost: result.lost,
    records_read_twice: result.readTwice,
    longest_wait_quiet_ms: rounded(result.quietWaitMs),
    longest_wait_ms: rounded(result.restartWaitMs),
  };
}

await buildAgent();
const loadBefore = loadavg()[0] ?? 0;
const rows = [...(await withPenstock(measure)), ...(await withKafka(measure))];
say(
  `\n${members} members, ${partitions} partitions. Times of a restart: until every member has its even share again.\n`,
);
say(
  '| system | client | change | start s | restart p50 s | max s | all s | left p50 ms | moved | conflicts | owned once | lost of sent | read twice | longest wait, quiet ms |',
);
say(`|${' --- |'.repeat(14)}`);
for (const row of rows) {
  if (row.result instanceof Error) {
    say(`| ${row.system} | ${row.client} | ${row.change} | ${row.result.message} |`);
    continue;
  }
  const f = figures(row.result);
  const cells = [
    ...[row.system, row.client, row.change, f.start_s, f.restart_p50_s, f.restart_max_s, f.all_restarts_s],
    ...[f.leave_p50_ms, f.partitions_moved, f.conflicts, f.owned_once, `${f.records_lost} of ${f.records_sent}`],
    ...[f.records_read_twice, `${f.longest_wait_ms}, ${f.longest_wait_quiet_ms}`],
  ];
  say(`| ${cells.join(' | ')} |`);
}
await reportResult('rolling-restart', {
  ...Object.fromEntries(
    rows.map((row) => [
      `${row.system === 'Penstock' ? '' : 'kafka_'}${row.change}_${row.client.replace('-', '_')}`,
      row.result instanceof Error ? { failed: row.result.message } : figures(row.result),
    ]),
  ),
  members,
  partitions,
  load_average_before: rounded(loadBefore, 2),
  machine: await describeMachine(),
});
process.exit(0);
