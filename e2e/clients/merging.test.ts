// Agents merge small files while clients write and read, and one of them is killed at it: every reader gets every record once, in order, byte
// for byte, from the files that took the place of others.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clients } from './support/clients.ts';
import { createTopic } from './support/java-tools.ts';
import { faultsOf, lostAcknowledgements } from './support/records.ts';
import { run, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startTraffic } from './support/traffic.ts';

/** Files wait a minute for company, are deleted a minute after they were merged, and a dead agent's job is handed out anew after a minute. */
const LONGEST_MS = 600_000;

let system: TestSystem;

beforeAll(async () => {
  // What serves clients keeps nothing of what it writes or reads: each fetch meets the files as they are.
  const serves = { env: { PENSTOCK_ROLES: 'produce,consume', PENSTOCK_CACHE_BYTES: '0' } };
  const merges = { env: { PENSTOCK_ROLES: 'jobs' } };
  system = await startTestSystem({ agents: [serves, merges] });
});
afterAll(() => system.stop());

async function dataFiles(): Promise<string[]> {
  const names = await readdir(join(system.home, 'objects'), { recursive: true });
  return names.filter((name) => name.endsWith('.batches'));
}

/** The sum of a metric's samples whose labels hold `label`; 0 while the process does not answer. */
async function metric(url: string, name: string, label = ''): Promise<number> {
  const answer = await fetch(`${url}/metrics`).catch(() => undefined);
  const lines = ((await answer?.text()) ?? '').split('\n');
  const samples = lines.filter((line) => line.startsWith(name) && line.includes(label));
  return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test(
  'what is merged while an agent is killed at it reads back as it was written, and the old files go',
  async () => {
    const [serving, merging] = system.agents;
    const bootstrap = serving?.bootstrap ?? '';
    const service = system.metadata[0]?.httpUrl ?? '';
    await createTopic(bootstrap, 'merged', 4);
    const traffic = await startTraffic({ bootstrap, topic: 'merged', recordsPer_s: 500 });
    await traffic.flows(3_000);
    const before = await dataFiles();
    expect(before.length).toBeGreaterThan(10);

    await until(
      'an agent has a job',
      async () => (await metric(service, 'penstock_metadata_merge_jobs')) > 0,
      LONGEST_MS,
    );
    await merging?.process.kill();
    const successor = await system.startAgent({ env: { PENSTOCK_ROLES: 'jobs' } });
    await traffic.flows(3_000);
    const { acknowledged, values } = await traffic.stop();

    const merged = async () => await metric(successor.httpUrl, 'penstock_agent_jobs_done_total');
    await until('the other agent has merged files', async () => (await merged()) > 0, LONGEST_MS);
    const written = new Set(before);
    const left = async () => (await dataFiles()).filter((name) => written.has(name));
    await until('the old files are gone', async () => (await left()).length === 0, LONGEST_MS);

    for (const client of clients.filter(({ name }) => ['kcat', 'Java console tools', 'kafkajs'].includes(name))) {
      const consumed = await client.consume(bootstrap, 'merged', values.length);
      expect(faultsOf(consumed, values), client.name).toEqual([]);
      expect(lostAcknowledgements(acknowledged, consumed), client.name).toEqual([]);
    }
    expect(await metric(successor.httpUrl, 'penstock_agent_jobs_failed_total')).toBe(0);
    expect(system.deaths).toEqual([]);
  },
  3 * LONGEST_MS,
);

test('no client is told of an agent that only merges', async () => {
  const listed = JSON.parse(await run('kcat', ['-L', '-J', '-b', system.agents[0]?.bootstrap ?? '']));
  expect(listed.brokers.map(({ name }: { name: string }) => name)).toEqual([system.agents[0]?.bootstrap]);
});
