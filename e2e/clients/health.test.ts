// Faults under real clients, and how long it takes until the verdict reports them and their end.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterHealth, getClusterHealth } from '@penstock/clusters';
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDemoOrganization } from './support/accounts.ts';
import { type BreakableProxy, startBreakableProxy } from './support/breakable-proxy.ts';
import { until } from './support/run.ts';
import { allS3Operations, type S3Operation, type S3Server, startS3Server } from './support/s3-server.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

/** The time limit that the product promises. */
const PROMISED_S = 30;

let s3: S3Server;
let proxy: BreakableProxy;
let system: TestSystem;
let kafka: Kafka;
let producer: Producer;
let sending: Promise<void>;
let isSending = true;

beforeAll(async () => {
  s3 = await startS3Server();
  await s3.account.allow(allS3Operations);
  proxy = await startBreakableProxy(s3.endpoint);
  const agent = s3.forAgents(proxy.url);
  system = await startTestSystem({
    hasWorker: true,
    agents: [
      { ...agent, zone: 'a' },
      { ...agent, zone: 'b' },
    ],
  });
  kafka = new Kafka({
    brokers: [system.agents[0]?.bootstrap ?? ''],
    logLevel: logLevel.NOTHING,
    retry: { retries: 1_000, initialRetryTime: 200, maxRetryTime: 1_000 },
  });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: 'watched', numPartitions: 4 }] });
  await admin.disconnect();
  producer = kafka.producer();
  await producer.connect();
  sending = keepSending();
});
afterAll(async () => {
  isSending = false;
  proxy.mend();
  await sending;
  await producer.disconnect();
  await system.stop();
  await proxy.close();
  await s3.stop();
});

/** Produces small records without end, and ignores errors. */
async function keepSending(): Promise<void> {
  while (isSending) {
    await producer.send({ topic: 'watched', messages: [{ value: 'x'.repeat(100) }] }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function startConsumer(): Promise<Consumer> {
  const consumer = kafka.consumer({ groupId: 'readers', sessionTimeout: 10_000 });
  await consumer.connect();
  await consumer.subscribe({ topic: 'watched', fromBeginning: true });
  await consumer.run({ autoCommitInterval: 1_000, eachMessage: async () => undefined });
  return consumer;
}

function health(): Promise<ClusterHealth> {
  return inDemoOrganization(system, (scope) => getClusterHealth(scope, { clusterId: system.demo?.clusterId ?? '' }));
}

/** How long it takes until the cluster's health is as expected, in seconds. Printed. */
async function seconds(what: string, isWanted: (health: ClusterHealth) => boolean): Promise<number> {
  const beganMs = Date.now();
  await until(what, async () => isWanted(await health()));
  const tookS = (Date.now() - beganMs) / 1_000;
  console.log(`${what} after ${tookS.toFixed(1)} s`);
  return tookS;
}

function raised(rule: string): Promise<number> {
  return seconds(`${rule} is raised`, ({ findings }) => findings.some((finding) => finding.rule === rule));
}

function over(rule: string): Promise<number> {
  return seconds(`${rule} is over`, ({ findings }) => findings.every((finding) => finding.rule !== rule));
}

// For a killed agent and for stopped consumers.
test('opens and resolves issues of clients within 30 s', async () => {
  const consumer = await startConsumer();
  await until('all is well and the group has members', async () => {
    const { level } = await health();
    const admin = kafka.admin();
    await admin.connect();
    const { groups } = await admin.describeGroups(['readers']);
    await admin.disconnect();
    return level === 'healthy' && groups[0]?.state === 'Stable';
  });
  // A group that was never seen consuming cannot be missed, so continue only after a check that began after this point has finished.
  const settledAt = new Date();
  await until('the group has been seen at work', async () => {
    const { assessedAt } = await health();
    return assessedAt !== null && assessedAt > settledAt;
  });

  const killed = system.agents[1];
  await Promise.all([killed?.process.kill(), consumer.disconnect()]);
  const raisedS = await Promise.all([raised('zone.without-agent'), raised('consumers.stopped')]);
  expect(Math.max(...raisedS)).toBeLessThan(PROMISED_S);
  const { level, findings } = await health();
  expect(level).toBe('degraded');
  expect(findings.map(({ rule, subject }) => [rule, subject])).toEqual(
    expect.arrayContaining([
      ['zone.without-agent', { zone: 'b' }],
      ['consumers.stopped', { group: 'readers' }],
    ]),
  );

  const [back] = await Promise.all([startConsumer(), killed?.process.start()]);
  const overS = await Promise.all([over('zone.without-agent'), over('consumers.stopped')]);
  expect(Math.max(...overS)).toBeLessThan(PROMISED_S);
  await back.disconnect();
});

// And healthy again within 30 s of the fix.
test('failing object storage is critical within 30 s', async () => {
  proxy.break();
  const critical = seconds('the verdict is critical', ({ level }) => level === 'critical');
  expect(await raised('object-store.failing')).toBeLessThan(PROMISED_S);
  expect(await critical).toBeLessThan(PROMISED_S);
  proxy.mend();
  expect(await over('object-store.failing')).toBeLessThan(PROMISED_S);
});

// Resolved within 30 s of the fix.
test('quotes the storage’s error while a permission is missing', async () => {
  const allowAllBut = (denied: S3Operation) =>
    s3.account.allow(allS3Operations.filter((operation) => operation !== denied));
  const tried = (what: string) =>
    until(`the agents have tried to ${what} themselves`, async () => {
      const finding = (await health()).findings.find(({ rule }) => rule === 'bucket.permission');
      return new RegExp(`can’t ${what}.*(AccessDenied|403)`, 's').test(finding?.cause ?? '');
    });
  await allowAllBut('PutObject');
  expect(await raised('bucket.permission')).toBeLessThan(PROMISED_S);
  await tried('write objects');
  // No client request needs the permission: only the agents’ own diagnosis can notice.
  await allowAllBut('ListBucket');
  await tried('list objects');
  await s3.account.allow(allS3Operations);
  expect(await over('bucket.permission')).toBeLessThan(PROMISED_S);
});

// By the Prometheus rules and the dashboard.
test('a running agent exposes every metric that is queried', async () => {
  // Metrics without a value are not exposed, and the clients write through one of the agents.
  const exposed = new Set<string>();
  await until('an agent has written a file', async () => {
    for (const { httpUrl } of system.agents) {
      const text = await (await fetch(`${httpUrl}/metrics`)).text();
      for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
        exposed.add(`${name} ${type}`);
      }
    }
    return exposed.has('penstock_agent_produce_stage_seconds histogram');
  });
  const file = join(import.meta.dirname, '../../infra/prometheus/agent-metrics.txt');
  const written = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect([...exposed].toSorted()).toEqual(written.toSorted());
});
