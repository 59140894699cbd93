// A spending cap with real traffic: when it is reached, clients get an error message for writes, reads continue, and nothing is lost. The
// price book gives the cost ($0.008 per GiB, rounded to the cent).
import { checkBudgets, getBudget, updateBudget } from '@penstock/billing';
import { createPrismaClient } from '@penstock/database';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDemoOrganization } from './support/accounts.ts';
import { startKafkaTool } from './support/java-tools.ts';
import { run, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

const cap = { capUsd: '0.01', webUrl: 'http://localhost' };
/** 0.7 GiB, more than half a cent: the line rounds to $0.01. Compressible, so that little data crosses the network. */
const expensive = { sends: 85, messages: 10, messageBytes: 900_000 };

let system: TestSystem;
let bootstrap: string;

beforeAll(async () => {
  system = await startTestSystem({ hasWorker: true, agents: [{}] });
  bootstrap = system.agents[0]?.bootstrap ?? '';
});
afterAll(() => system.stop());

function setCap(capUsd: string | null): Promise<unknown> {
  return inDemoOrganization(system, (scope) => updateBudget(scope, { capUsd }, cap.webUrl));
}

/** Runs the worker's check, which runs every minute, now; returns whether the cap is in effect. */
async function isCapped(): Promise<boolean> {
  const database = createPrismaClient(system.databaseUrl, 1);
  try {
    const { failures } = await checkBudgets(database, { now: new Date(), webUrl: undefined });
    expect(failures).toEqual([]);
  } finally {
    await database.$disconnect();
  }
  return (await inDemoOrganization(system, getBudget)).writesRefusedReason !== null;
}

async function writeExpensively(): Promise<void> {
  const producer = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  try {
    const value = Buffer.alloc(expensive.messageBytes, 'x');
    const messages = Array.from({ length: expensive.messages }, () => ({ value }));
    for (let sent = 0; sent < expensive.sends; sent += 1) {
      await producer.send({ topic: 'expensive', messages, compression: CompressionTypes.GZIP });
    }
  } finally {
    await producer.disconnect();
  }
}

/** A producer's result: `ok`, or the name of Kafka's error. */
async function produce(topic: string, value: string): Promise<string> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
  const producer = kafka.producer();
  await producer.connect();
  try {
    await producer.send({ topic, messages: [{ value }] });
    return 'ok';
  } catch (error) {
    const type: unknown = error instanceof Error ? Reflect.get(error, 'type') : undefined;
    if (typeof type !== 'string') {
      throw error;
    }
    return type;
  } finally {
    await producer.disconnect();
  }
}

/** In any order: the topic has several partitions. */
async function consumeAll(count: number): Promise<string[]> {
  const args = ['-C', '-b', bootstrap, '-t', 'orders', '-o', 'beginning', '-c', String(count), '-e', '-q'];
  return (await run('kcat', args)).trim().split('\n').sort();
}

/** Agents follow a change within seconds. Probes use another topic, so that they are not among the records read. */
function untilProduceIs(outcome: string): Promise<void> {
  return until(`producing is answered with ${outcome}`, async () => (await produce('tries', 'x')) === outcome);
}

// Reached by real traffic; until it is raised.
test('a reached cap refuses writes but allows reads', async () => {
  await setCap(cap.capUsd);
  await run('kcat', ['-P', '-b', bootstrap, '-t', 'orders'], { input: 'before the cap\n' });
  await writeExpensively();
  await until('the usage is counted and the cap holds', isCapped);
  await untilProduceIs('POLICY_VIOLATION');

  // The Java client passes on the broker's error message.
  const tool = await startKafkaTool('kafka-producer-perf-test', [
    ...['--topic', 'orders', '--num-records', '1', '--record-size', '10', '--throughput', '-1'],
    ...['--bootstrap-server', bootstrap],
  ]);
  await tool.exited;
  const said = tool.stdout() + tool.stderr();
  expect(said).toContain('PolicyViolationException');
  expect(said).toContain('reached its spending cap of $0.01');
  expect(said).toContain('raise or remove the cap under Billing > Settings');

  expect(await consumeAll(1)).toEqual(['before the cap']);

  await setCap('1000');
  await untilProduceIs('ok');
  expect(await produce('orders', 'after the raise')).toBe('ok');
  expect(await consumeAll(2)).toEqual(['after the raise', 'before the cap']);
}, 300_000);
