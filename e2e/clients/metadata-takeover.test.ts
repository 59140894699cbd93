// When the metadata process that owns a cluster is killed under load, another one takes over and nothing acknowledged is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { clients, produceSettings, pythonFolder } from './support/clients.ts';
import { ownerOf } from './support/cluster-owner.ts';
import { createTopic } from './support/java-tools.ts';
import { faultsOf, lostAcknowledgements, makeValues, parseAcknowledged, valuesFile } from './support/records.ts';
import { start, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

let system: TestSystem;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}], metadataProcesses: 2 });
});
afterAll(() => system.stop());

test('the owner of a cluster is killed under load: the other process takes over, nothing acknowledged is lost', async () => {
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  const values = makeValues(20_000);
  await createTopic(bootstrap, 'takeover', 12);
  const file = await valuesFile(values);
  try {
    const producer = start(await confluentKafkaPython(), [`${pythonFolder}/produce.py`], {
      input: produceSettings({
        bootstrap,
        topic: 'takeover',
        valuesFile: file.path,
        flushEach: true,
        client: { 'batch.num.messages': 100, 'queue.buffering.max.messages': 1_000 },
      }),
    });
    await until('a quarter is acknowledged', () => parseAcknowledged(producer.stdout()).length > values.length / 4);
    const ownerUrl = await ownerOf(system.databaseUrl, system.demo?.clusterId ?? '');
    const owner = system.metadata.find(({ url }) => url === ownerUrl);
    expect(owner, `${ownerUrl} owns the cluster`).toBeDefined();
    expect(parseAcknowledged(producer.stdout()).length, 'acknowledged before the fault').toBeLessThan(values.length);
    await owner?.process.kill();
    expect(await producer.exited, producer.stderr()).toBe(0);

    const acknowledged = parseAcknowledged(producer.stdout());
    expect(acknowledged).toHaveLength(values.length);
    const consumed = (await clients[0]?.consume(bootstrap, 'takeover', values.length)) ?? [];
    expect(lostAcknowledgements(acknowledged, consumed)).toEqual([]);
    expect(faultsOf(consumed, values)).toEqual([]);
    const newOwner = await ownerOf(system.databaseUrl, system.demo?.clusterId ?? '');
    expect(newOwner).not.toBe(ownerUrl);
  } finally {
    await file.remove();
  }
});
