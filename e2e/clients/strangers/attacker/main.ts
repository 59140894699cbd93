// The attacker, in a process of its own that stays within its share of a core. Each line on standard input is a task; each answer is a line, too.
import { createInterface } from 'node:readline';
import { Random } from '../../support/random.ts';
import { LOADS } from './attacks.ts';
import type { AttackContext } from './context.ts';
import { Governor } from './governor.ts';
import { RpcCaller } from './rpc-caller.ts';

export interface AttackerSettings {
  rpcUrl: string;
  clusterId: string;
  agentKey: string;
  bootstrap: string;
  /** The bucket of the cluster's agents. */
  bucket: string;
  seed: number;
  /** Share of one CPU core. */
  share: number;
}

export interface AttackTask {
  name: string;
  /** It ends when this time has passed on the clock, or when the attacker has used so much CPU time. */
  until: { clock_ms: number } | { cpu_ms: number };
}

export interface AttackReport {
  name: string;
  steps: number;
  /** CPU time that the attacker itself used. */
  used_ms: number;
  outcomes: Record<string, number>;
}

/** Steps in flight at a time. */
const LANES = 8;
/** Number of concurrent fuzzers, because many of their calls wait for something that never comes. */
const FUZZ_LANES = 64;
const TOPIC = 'strangers';
const WIDE_TOPIC = 'wide';
const AGENT_ID = '5eed5eed-5eed-4eed-8eed-5eed5eed5eed';

const settings = JSON.parse(process.env['PENSTOCK_STRANGER'] ?? '{}') as AttackerSettings;
const rpc = new RpcCaller(settings.rpcUrl, settings);
const random = new Random(settings.seed);
const governor = new Governor(settings.share);
let outcomes = new Map<string, number>();

const registered = await rpc.call('RegisterAgent', { agentId: AGENT_ID, version: '0.1.0', bucket: settings.bucket });
if (registered.status !== 200) {
  throw new Error(`The attacker cannot register an agent: ${registered.body.toString()}`);
}
await rpc.json('CreateTopics', {
  topics: [
    { name: TOPIC, partitions: 12, configs: [] },
    { name: WIDE_TOPIC, partitions: 9_900, configs: [] },
  ],
});
const described = await rpc.json<{ topics?: { name: string; topicId: string }[] }>('DescribeCluster', {
  topicNames: [TOPIC, WIDE_TOPIC],
});
const idOf = (topic: string): string => described?.topics?.find(({ name }) => name === topic)?.topicId ?? '';
const context: AttackContext = {
  rpc,
  random,
  bootstrap: settings.bootstrap,
  topic: TOPIC,
  topicId: idOf(TOPIC),
  wideTopicId: idOf(WIDE_TOPIC),
  agentId: AGENT_ID,
  note: (outcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
};

async function run({ name, until }: AttackTask): Promise<AttackReport> {
  const attack = LOADS.get(name);
  if (attack === undefined) {
    throw new Error(`There is no attack ${name}`);
  }
  outcomes = new Map();
  governor.restart();
  const before = process.cpuUsage();
  const startedMs = performance.now();
  const usedMs = (): number => {
    const used = process.cpuUsage(before);
    return (used.user + used.system) / 1_000;
  };
  const isOver = (): boolean =>
    'cpu_ms' in until ? usedMs() >= until.cpu_ms : performance.now() - startedMs >= until.clock_ms;
  let steps = 0;
  await Promise.all(
    Array.from({ length: name.startsWith('fuzz-') ? FUZZ_LANES : LANES }, async () => {
      while (!isOver()) {
        steps += 1;
        await attack(context);
        await governor.pause();
      }
    }),
  );
  return { name, steps, used_ms: usedMs(), outcomes: Object.fromEntries(outcomes) };
}

process.stdout.write('"ready"\n');
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line) as AttackTask))}\n`);
}
rpc.close();
process.exit();
