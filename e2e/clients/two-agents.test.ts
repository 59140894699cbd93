// Agents are stateless: an agent serves what another wrote, and killing one loses nothing acknowledged.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clients } from './support/clients.ts';
import { faultsOf, lostAcknowledgements, makeValues } from './support/records.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';
import { startTraffic } from './support/traffic.ts';

let system: TestSystem;
const [kcat] = clients;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}, {}] });
});
afterAll(() => system.stop());

function bootstraps(): [string, string] {
  const [first, second] = system.agents;
  return [first?.bootstrap ?? '', second?.bootstrap ?? ''];
}

test('what was produced through one agent is consumed through the other', async () => {
  const [first, second] = bootstraps();
  const values = makeValues(2_000);
  await createTopic(first, 'across', 6);
  await kcat?.produce(first, 'across', values, 'lz4');
  expect(faultsOf((await kcat?.consume(second, 'across', values.length)) ?? [], values)).toEqual([]);
});

test('an agent killed while idempotent producers send loses nothing acknowledged and duplicates nothing', async () => {
  const [first, second] = bootstraps();
  await createTopic(first, 'killed', 12);
  const traffic = await startTraffic({ bootstrap: `${first},${second}`, topic: 'killed' });
  await traffic.flows(2_000);
  await system.agents[0]?.process.kill();
  await traffic.flows(2_000);

  const { acknowledged, values } = await traffic.stop();
  const consumed = (await kcat?.consume(second, 'killed', values.length)) ?? [];
  expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
  expect(faultsOf(consumed, values)).toEqual([]);
});

test('an agent stopped under load answers first: nothing is lost, and it exits in time', async () => {
  const [, second] = bootstraps();
  const third = await system.startAgent();
  await createTopic(second, 'stopped', 12);
  const traffic = await startTraffic({ bootstrap: `${second},${third.bootstrap}`, topic: 'stopped' });
  await traffic.flows(2_000);
  expect(await third.process.stop()).toEqual({ wasKilled: false });
  await traffic.flows(2_000);

  const { acknowledged, values } = await traffic.stop();
  const consumed = (await kcat?.consume(second, 'stopped', values.length)) ?? [];
  expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
  expect(faultsOf(consumed, values)).toEqual([]);
  expect(system.deaths).toEqual([]);
});
