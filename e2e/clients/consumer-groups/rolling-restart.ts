// A rolling restart of a large group, here and on Apache Kafka in the same run: `node e2e/clients/consumer-groups/rolling-restart.ts`.
// Each member leaves, and another takes its place as soon as it is gone. A restart is over when every member has its even share again.
//   --members 20 --partitions 500   size of the group
//   --protocols consumer,classic    which of them; classic uses the cooperative-sticky assignor
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { startTestSystem } from '../support/system.ts';
import { createTopic } from '../support/topics.ts';
import { GroupMembers, type Member } from './group-members.ts';

const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '20' },
    partitions: { type: 'string', default: '500' },
    protocols: { type: 'string', default: 'consumer,classic' },
  },
});
const [memberCount, partitions] = [Number(options.members), Number(options.partitions)];
const POLL_MS = 20;
const GIVE_UP_MS = 180_000;

type Protocol = 'consumer' | 'classic';

interface Figures {
  system: string;
  protocol: Protocol;
  /** From the first join to the first even assignment of all. */
  startMs: number;
  /** From the moment at which a member was told to leave, until the assignment was even again. */
  restartsMs: number[];
  /** Partitions that got another owner though theirs did not restart. */
  moved: number;
  conflicts: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function untilEven(members: GroupMembers): Promise<Member[]> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    const shown = await members.show();
    const sizes = shown.map((member) => member.partitions.length);
    const owned = new Set(shown.flatMap((member) => member.partitions)).size;
    if (sizes.length === memberCount && owned === partitions && Math.max(...sizes) - Math.min(...sizes) <= 1) {
      return shown;
    }
    if (performance.now() > giveUpAt) {
      throw new Error(`No even assignment after ${GIVE_UP_MS} ms: ${sizes.join(' ')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Partitions whose owner before is still there, and has them no more. */
function movedBetween(before: Member[], after: Member[]): number {
  const ownerNow = new Map(after.flatMap(({ name, partitions: owned }) => owned.map((partition) => [partition, name])));
  const stayed = new Set(after.map(({ name }) => name));
  return before
    .filter(({ name }) => stayed.has(name))
    .flatMap(({ name, partitions: owned }) => owned.filter((partition) => ownerNow.get(partition) !== name)).length;
}

async function roll(system: string, bootstrap: string, protocol: Protocol): Promise<Figures> {
  const group = `rolling-${protocol}`;
  await createTopic(bootstrap, group, partitions);
  const members = await GroupMembers.start(bootstrap, '768m');
  try {
    const member = (name: string) => ({ name, protocol, group, subscription: [group] });
    const startedAt = performance.now();
    const names = Array.from({ length: memberCount }, (_, at) => `m${at}`);
    for (const name of names) {
      await members.join(member(name));
    }
    let before = await untilEven(members);
    const startMs = performance.now() - startedAt;
    const restartsMs: number[] = [];
    let moved = 0;
    for (const name of names) {
      const restartedAt = performance.now();
      await members.close(name, 'leave');
      await members.join(member(`${name}-again`));
      const after = await untilEven(members);
      restartsMs.push(performance.now() - restartedAt);
      moved += movedBetween(before, after);
      before = after;
    }
    return { system, protocol, startMs, restartsMs, moved, conflicts: (await members.conflicts()).length };
  } finally {
    await members.stop();
  }
}

const protocols = options.protocols.split(',') as Protocol[];
const all: Figures[] = [];

const penstock = await startTestSystem({ agents: [{ zone: 'zone-a' }] });
try {
  for (const protocol of protocols) {
    all.push(await roll('Penstock', penstock.agents[0]?.bootstrap ?? '', protocol));
  }
} finally {
  await penstock.stop();
}
const kafka = await startKafkaBroker(join(tmpdir(), `penstock-rolling-restart-${process.pid}`), '512m');
try {
  for (const protocol of protocols) {
    all.push(await roll('Apache Kafka', kafka.bootstrap, protocol));
  }
} finally {
  await kafka.stop();
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
say(`\n${memberCount} members, ${partitions} partitions, times in seconds\n`);
say('| system | protocol | start | restart p50 | restart max | all restarts | partitions moved | conflicts |');
say('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const { system, protocol, startMs, restartsMs, moved, conflicts } of all) {
  const sorted = [...restartsMs].sort((a, b) => a - b);
  const times = [startMs, sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0];
  const total = sorted.reduce((sum, each) => sum + each, 0);
  say(`| ${[system, protocol, ...times.map(seconds), seconds(total), moved, conflicts].join(' | ')} |`);
}
process.exit(0);
