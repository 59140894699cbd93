// The round trip on a bucket of an S3 server instead of a folder.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clients } from './support/clients.ts';
import { faultsOf, makeValues } from './support/records.ts';
import { allS3Operations, type S3Server, startS3Server } from './support/s3-server.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';

let s3: S3Server;
let system: TestSystem;

beforeAll(async () => {
  s3 = await startS3Server();
  await s3.account.allow(allS3Operations);
  const agent = s3.forAgents();
  system = await startTestSystem({ agents: [agent, agent] });
});
afterAll(async () => {
  await system.stop();
  await s3.stop();
});

test('records pass through an S3 bucket from one agent to another', async () => {
  const [first, second] = system.agents;
  const values = makeValues(5_000);
  await createTopic(first?.bootstrap ?? '', 'on-s3', 6);
  await clients[0]?.produce(first?.bootstrap ?? '', 'on-s3', values, 'zstd');
  expect(faultsOf((await clients[0]?.consume(second?.bootstrap ?? '', 'on-s3', values.length)) ?? [], values)).toEqual(
    [],
  );
  expect(system.deaths).toEqual([]);
});
