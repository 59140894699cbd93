// When the metadata process that owns a cluster is killed under load, another one takes over and nothing acknowledged is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clients } from './support/clients.ts';
import { ownerOf } from './support/cluster-owner.ts';
import { faultsOf, lostAcknowledgements } from './support/records.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';
import { startTraffic } from './support/traffic.ts';

let system: TestSystem;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}], metadataProcesses: 2 });
});
afterAll(() => system.stop());

test('a takeover under load loses nothing acknowledged', async () => {
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  await createTopic(bootstrap, 'takeover', 12);
  const traffic = await startTraffic({ bootstrap, topic: 'takeover' });
  await traffic.flows(2_000);
  const ownerUrl = await ownerOf(system.databaseUrl, system.demo?.clusterId ?? '');
  const owner = system.metadata.find(({ url }) => url === ownerUrl);
  expect(owner, `${ownerUrl} owns the cluster`).toBeDefined();
  await owner?.process.kill();
  await traffic.flows(2_000);

  const { acknowledged, values } = await traffic.stop();
  const consumed = (await clients[0]?.consume(bootstrap, 'takeover', values.length)) ?? [];
  expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
  expect(faultsOf(consumed, values)).toEqual([]);
  const newOwner = await ownerOf(system.databaseUrl, system.demo?.clusterId ?? '');
  expect(newOwner).not.toBe(ownerUrl);
});
