// An agent key gives access to one virtual cluster only, and a refused agent prints the reason.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  confirmAgentAddress,
  createAgentKey,
  listAgentAddresses,
  updateAgentKey,
  updateCluster,
} from '@penstock/clusters';
import { createFakeMetadata } from '@penstock/clusters/testing/fake-metadata';
import { freePort } from '@penstock/servers/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentBinary } from '../../infra/local/paths.ts';
import { createOtherCluster, createRevokedKey, inDemoOrganization } from './support/accounts.ts';
import { clients } from './support/clients.ts';
import { kafkaTool } from './support/java-tools.ts';
import { makeValues } from './support/records.ts';
import { run, start } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';

let system: TestSystem;
let objects = '';

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}] });
  objects = await mkdtemp(join(tmpdir(), 'penstock-keys-'));
});
afterAll(async () => {
  await system.stop();
  await rm(objects, { recursive: true });
});

/** Starts an agent that should exit by itself; returns its exit code and output. */
async function refusedAgent(agentKey: string, clusterId: string): Promise<{ code: number | null; said: string }> {
  const agent = start(agentBinary, ['agent'], {
    env: {
      PENSTOCK_AGENT_KEY: agentKey,
      PENSTOCK_CLUSTER: clusterId,
      PENSTOCK_METADATA_URL: system.metadata[0]?.url ?? '',
      PENSTOCK_BUCKET: `file://${objects}`,
      PENSTOCK_LISTEN: `127.0.0.1:${await freePort()}`,
      PENSTOCK_HTTP_LISTEN: `127.0.0.1:${await freePort()}`,
    },
  });
  const timer = setTimeout(() => agent.child.kill('SIGKILL'), 30_000);
  const code = await agent.exited;
  clearTimeout(timer);
  return { code, said: agent.stdout() + agent.stderr() };
}

test.each([
  ['malformed', async () => 'not-a-key', /not an agent key|malformed/i],
  [
    'mistyped',
    async () => `${system.demo?.agentKey.slice(0, -1)}${system.demo?.agentKey.endsWith('0') ? '1' : '0'}`,
    /typing|checksum/i,
  ],
  ['unknown', async () => 'psk_agent_00000000000000000000000000000000_1CjZJ7', /unknown|typing|checksum/i],
  ['revoked', () => createRevokedKey(system), /revoked/i],
])('an agent with a %s key exits with the reason', async (_what, makeKey, reason) => {
  const key = await makeKey();
  const { code, said } = await refusedAgent(key, system.demo?.clusterId ?? '');
  expect(said).toMatch(reason);
  expect(code).toBeGreaterThan(0);
  // The secret itself is not printed.
  expect(said).not.toContain(key.length > 20 ? key.slice(12) : key);
});

test('the key of another cluster gives access only to that one', async () => {
  const other = await createOtherCluster(system);
  const { code, said } = await refusedAgent(other.agentKey, system.demo?.clusterId ?? '');
  expect(said).toMatch(/another (virtual )?cluster/i);
  expect(code).toBeGreaterThan(0);

  // The same key works for its own cluster, and does not show the other cluster's topics.
  await createTopic(system.agents[0]?.bootstrap ?? '', 'private', 1);
  const agent = await system.startAgent({ ...other, bucket: `file://${objects}` });
  const topics = await kafkaTool('kafka-topics', ['--bootstrap-server', agent.bootstrap, '--list']);
  expect(topics.split('\n')).not.toContain('private');
  const values = makeValues(10);
  await clients[0]?.produce(agent.bootstrap, 'own', values, 'none');
  expect(await clients[0]?.consume(agent.bootstrap, 'own', values.length)).toHaveLength(values.length);
});

/** The hosts that an agent names to its clients. */
async function hostsNamedBy(bootstrap: string): Promise<string[]> {
  const listed = JSON.parse(await run('kcat', ['-L', '-J', '-b', bootstrap])) as { brokers: { name: string }[] };
  return listed.brokers.map(({ name }) => name.replace(/:\d+$/, '')).sort();
}

test('a leaked key cannot take over clients and is reported', async () => {
  const clusterId = system.demo?.clusterId ?? '';
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  const leaked = await inDemoOrganization(system, async (scope) => {
    await updateCluster(scope, createFakeMetadata(), { clusterId, confirmAgentAddresses: true });
    return createAgentKey(scope, { clusterId, name: 'Leaked key' });
  });
  const http = `127.0.0.1:${await freePort()}`;
  const rogue = start(agentBinary, ['agent'], {
    env: {
      PENSTOCK_AGENT_KEY: leaked.plaintext,
      PENSTOCK_CLUSTER: clusterId,
      PENSTOCK_METADATA_URL: system.metadata[0]?.url ?? '',
      PENSTOCK_BUCKET: `file://${join(system.home, 'objects')}?fsync=false`,
      PENSTOCK_LISTEN: `127.0.0.1:${await freePort()}`,
      PENSTOCK_ADVERTISED_HOST: 'attacker.example',
      PENSTOCK_HTTP_LISTEN: http,
    },
  });
  try {
    const said = () => rogue.stdout() + rogue.stderr();
    await expect.poll(said, { timeout: 30_000 }).toContain('the address attacker.example is new to this cluster');
    expect(await hostsNamedBy(bootstrap)).toEqual(['127.0.0.1']);
    const ready = await fetch(`http://${http}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('waits for confirmation')]);
    const attacker = async () =>
      (await inDemoOrganization(system, (scope) => listAgentAddresses(scope, { clusterId }))).find(
        ({ host }) => host === 'attacker.example',
      );
    expect(await attacker()).toMatchObject({ state: 'pending', agentKeyName: 'Leaked key' });

    // What the owner confirms, joins by itself.
    await inDemoOrganization(system, (scope) => confirmAgentAddress(scope, { clusterId, host: 'attacker.example' }));
    await expect.poll(() => hostsNamedBy(bootstrap), { timeout: 30_000 }).toEqual(['127.0.0.1', 'attacker.example']);

    // A key that is bound to other addresses ends it again.
    await inDemoOrganization(system, (scope) =>
      updateAgentKey(scope, { agentKeyId: leaked.agentKey.id, addresses: ['*.agents.internal'] }),
    );
    await expect.poll(() => hostsNamedBy(bootstrap), { timeout: 30_000 }).toEqual(['127.0.0.1']);
  } finally {
    rogue.child.kill('SIGKILL');
    await rogue.exited;
  }
});

async function keyOfScope(scope: 'jobs' | 'read_only'): Promise<string> {
  const clusterId = system.demo?.clusterId ?? '';
  const { plaintext } = await inDemoOrganization(system, (within) =>
    createAgentKey(within, { clusterId, name: scope, scope }),
  );
  return plaintext;
}

// It exits.
test.each([
  ['jobs', '--roles jobs'],
  ['read_only', '--roles consume'],
] as const)('an agent with a %s key and all roles names the valid roles', async (scope, roles) => {
  const { code, said } = await refusedAgent(await keyOfScope(scope), system.demo?.clusterId ?? '');
  expect(said).toContain(roles);
  expect(code).toBeGreaterThan(0);
});

// It says why.
test('a read-only agent serves consumers and refuses producers', async () => {
  const writer = system.agents[0]?.bootstrap ?? '';
  const values = makeValues(10);
  await clients[0]?.produce(writer, 'shared', values, 'none');
  const bootstrap = `127.0.0.1:${await freePort()}`;
  const http = `127.0.0.1:${await freePort()}`;
  const reader = start(agentBinary, ['agent', '--roles', 'consume'], {
    env: {
      PENSTOCK_AGENT_KEY: await keyOfScope('read_only'),
      PENSTOCK_CLUSTER: system.demo?.clusterId ?? '',
      PENSTOCK_METADATA_URL: system.metadata[0]?.url ?? '',
      PENSTOCK_BUCKET: `file://${join(system.home, 'objects')}?fsync=false`,
      PENSTOCK_LISTEN: bootstrap,
      PENSTOCK_HTTP_LISTEN: http,
    },
  });
  try {
    const isReady = () =>
      fetch(`http://${http}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady, { timeout: 30_000 }).toBe(true);
    expect(await clients[0]?.consume(bootstrap, 'shared', values.length)).toHaveLength(values.length);
    const produced = run('kcat', ['-P', '-b', bootstrap, '-t', 'shared', '-X', 'message.timeout.ms=10000'], {
      input: 'refused\n',
    });
    await expect(produced).rejects.toThrow(/authorization failed/i);
    // No client of the other agents is sent to it.
    const named = async (of: string) =>
      (JSON.parse(await run('kcat', ['-L', '-J', '-b', of])) as { brokers: { name: string }[] }).brokers.map(
        ({ name }) => name,
      );
    expect(await named(writer)).toEqual([writer]);
    expect(await named(bootstrap)).toEqual([bootstrap]);
  } finally {
    reader.child.kill('SIGKILL');
    await reader.exited;
  }
});
