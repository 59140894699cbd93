// Agents are stateless: what one wrote another serves, and one that is killed takes nothing acknowledged with it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { clients, produceSettings, pythonFolder } from './support/clients.ts';
import { createTopic } from './support/java-tools.ts';
import { faultsOf, lostAcknowledgements, makeValues, parseAcknowledged, valuesFile } from './support/records.ts';
import { start, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

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
  const values = makeValues(20_000);
  await createTopic(first, 'killed', 12);
  const file = await valuesFile(values);
  try {
    const python = await confluentKafkaPython();
    const producer = start(python, [`${pythonFolder}/produce.py`], {
      input: produceSettings({
        bootstrap: `${first},${second}`,
        topic: 'killed',
        valuesFile: file.path,
        flushEach: true,
        // Small batches, a slow trickle of requests: the kill falls into the middle of many.
        client: { 'batch.num.messages': 100, 'queue.buffering.max.messages': 1_000, 'reconnect.backoff.max.ms': 500 },
      }),
    });
    await until('a quarter is acknowledged', () => parseAcknowledged(producer.stdout()).length > values.length / 4);
    const killed = system.agents[0];
    expect(parseAcknowledged(producer.stdout()).length, 'acknowledged before the fault').toBeLessThan(values.length);
    await killed?.process.kill();
    expect(await producer.exited, producer.stderr()).toBe(0);

    const acknowledged = parseAcknowledged(producer.stdout());
    expect(acknowledged).toHaveLength(values.length);
    const consumed = (await kcat?.consume(second, 'killed', values.length)) ?? [];
    expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
    expect(faultsOf(consumed, values)).toEqual([]);
  } finally {
    await file.remove();
  }
});

test('an agent that is told to stop under load answers first: nothing is lost, and it leaves in time', async () => {
  const [, second] = bootstraps();
  const third = await system.startAgent();
  const values = makeValues(20_000);
  await createTopic(second, 'stopped', 12);
  const file = await valuesFile(values);
  try {
    const producer = start(await confluentKafkaPython(), [`${pythonFolder}/produce.py`], {
      input: produceSettings({
        bootstrap: `${second},${third.bootstrap}`,
        topic: 'stopped',
        valuesFile: file.path,
        flushEach: true,
        client: { 'batch.num.messages': 100, 'queue.buffering.max.messages': 1_000, 'reconnect.backoff.max.ms': 500 },
      }),
    });
    await until('a quarter is acknowledged', () => parseAcknowledged(producer.stdout()).length > values.length / 4);
    expect(parseAcknowledged(producer.stdout()).length, 'acknowledged before the fault').toBeLessThan(values.length);
    expect(await third.process.stop()).toEqual({ wasKilled: false });
    expect(await producer.exited, producer.stderr()).toBe(0);

    const acknowledged = parseAcknowledged(producer.stdout());
    const consumed = (await kcat?.consume(second, 'stopped', values.length)) ?? [];
    expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
    expect(faultsOf(consumed, values)).toEqual([]);
    expect(system.deaths).toEqual([]);
  } finally {
    await file.remove();
  }
});
