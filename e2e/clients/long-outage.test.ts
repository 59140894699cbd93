// A bucket outage that outlasts the agents' write retries, beginning with the first batch of an idempotent producer: a later batch must not
// be stored before an earlier one, and none twice.
import { readFile } from 'node:fs/promises';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BreakableProxy, startBreakableProxy } from './support/breakable-proxy.ts';
import { until } from './support/run.ts';
import { allS3Operations, type S3Server, startS3Server } from './support/s3-server.ts';
import { storedBatches } from './support/stored-batches.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startTraffic } from './support/traffic.ts';

const TOPIC = 'first-batches';
const PARTITIONS = 3;
/** The agent's log message when it gives up on a file, after a minute. */
const GIVEN_UP = 'cannot write a data file';

let s3: S3Server;
let proxy: BreakableProxy;
let system: TestSystem;

beforeAll(async () => {
  s3 = await startS3Server();
  await s3.account.allow(allS3Operations);
  proxy = await startBreakableProxy(s3.endpoint);
  system = await startTestSystem({ agents: [s3.forAgents(proxy.url)] });
});
afterAll(async () => {
  await system?.stop();
  await proxy?.close();
  await s3?.stop();
});

test('a minute’s outage neither duplicates nor reorders', async () => {
  const [agent] = system.agents;
  if (agent === undefined) {
    throw new Error('there is no agent');
  }
  const { bootstrap } = agent;
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }] });
  await admin.disconnect();

  proxy.break();
  const traffic = await startTraffic({ bootstrap, topic: TOPIC, recordsPerS: 200 });
  await until('the agent has given a file up', async () =>
    (await readFile(agent.process.plan.logFile, 'utf8')).includes(GIVEN_UP),
  );
  expect(traffic.acknowledged()).toBe(0);
  proxy.mend();
  await traffic.flows(1_000);
  const { values } = await traffic.stop();

  const stored = await storedBatches(bootstrap, TOPIC, PARTITIONS);
  expect(stored.flatMap((batch) => batch.values).sort()).toEqual([...values].sort());
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    // Each value begins with its number.
    const inPartition = stored.filter((batch) => batch.partition === partition).flatMap((batch) => batch.values);
    expect(inPartition).toEqual([...inPartition].sort());
  }
  expect(system.deaths).toEqual([]);
});
