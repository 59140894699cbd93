// Share groups (KIP-932) are not supported, and clients that request one get an error that says so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { pythonFolder } from './support/clients.ts';
import { run } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';

let system: TestSystem;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}] });
});
afterAll(() => system.stop());

test('a share consumer of librdkafka ends with an error', async () => {
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  await createTopic(bootstrap, 'shared', 1);
  const script = `${pythonFolder}/share_consumer_confluent_kafka.py`;
  const printed = await run(await confluentKafkaPython(), [script, bootstrap, 'shared']);
  expect(printed).toBe('ShareGroupHeartbeat fatal error: Broker: API version not supported\n');
});
