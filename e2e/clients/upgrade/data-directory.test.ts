// An upgrade keeps what was stored: topics with their records, groups, users, ACLs, quotas, keys and bills.
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPenstockClient, type PenstockClient } from '@penstock/api-client';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pinnedNode, root } from '../../../infra/local/paths.ts';
import { type RunningSystem, startSystem } from '../../../infra/local/system.ts';
import { run, until } from '../support/run.ts';
import { type Recorded, readRecorded, restoreDirectory } from './earlier-directory.ts';

const DIRECTORY = 'rules-level-5';

let home: string;
let recorded: Recorded;
let system: RunningSystem;
let admin: Admin;
let api: PenstockClient;
const deaths: string[] = [];

const signedIn = (user: 'alice' | 'bob'): { username: string; password: string; mechanism: 'scram-sha-512' } => ({
  mechanism: 'scram-sha-512',
  username: user,
  password: recorded.passwords[user],
});

beforeAll(async () => {
  // The cluster remembers its bucket, so the folder has the name that it was recorded under.
  home = `/tmp/penstock-${DIRECTORY}`;
  await rm(home, { recursive: true, force: true });
  await mkdir(home);
  recorded = await readRecorded(DIRECTORY);
  await restoreDirectory(DIRECTORY, home);
  system = await startSystem({
    home,
    isQuiet: true,
    // Its jobs depend on the date: they would close months.
    hasWorker: false,
    events: {
      onDeath: (name, reason, lastLines) => deaths.push(`${name} ended (${reason}):\n${lastLines}`),
      onRestart: () => undefined,
      onDatabaseDeath: (lastLines) => deaths.push(`PostgreSQL ended: ${lastLines}`),
    },
  });
  const brokers = [system.agents[0]?.bootstrap ?? ''];
  admin = new Kafka({ brokers, sasl: signedIn('alice'), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  api = createPenstockClient({ url: system.webUrl ?? '', apiKey: recorded.apiKey });
});

afterAll(async () => {
  await admin?.disconnect();
  await system?.stop();
  await rm(home, { recursive: true, force: true });
  expect(deaths).toEqual([]);
});

/** All records that a reader of committed records sees. */
async function readAll(topic: string, user: 'alice' | 'bob' = 'alice'): Promise<string[]> {
  const { mechanism, username, password } = signedIn(user);
  const settings = [
    'security.protocol=SASL_PLAINTEXT',
    `sasl.mechanism=${mechanism.toUpperCase()}`,
    `sasl.username=${username}`,
    `sasl.password=${password}`,
    'isolation.level=read_committed',
  ];
  const output = await run('kcat', [
    ...['-C', '-q', '-e', '-b', system.agents[0]?.bootstrap ?? '', '-t', topic, '-o', 'beginning', '-f', '%k=%s\n'],
    ...settings.flatMap((setting) => ['-X', setting]),
  ]);
  return output.split('\n').slice(0, -1).sort();
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

test('keeps the demo login and its agent key', () => {
  expect(system.demo).toEqual(recorded.demo);
});

test('keeps topics, their configs and their offsets', async () => {
  const { topics } = await admin.fetchTopicMetadata();
  expect(topics.map(({ name }) => name).sort()).toEqual(recorded.topics.map(({ name }) => name).sort());
  const { data } = await api.GET('/clusters/{clusterId}/topics', {
    params: { path: { clusterId: recorded.demo.clusterId } },
  });
  expect(data?.items).toEqual(
    expect.arrayContaining(
      recorded.topics.map(({ name, configs, partitions }) =>
        expect.objectContaining({
          name,
          configs,
          partitions: partitions.map((partition) => expect.objectContaining(partition)),
        }),
      ),
    ),
  );
});

test('keeps every record and hides those of aborted transactions', async () => {
  expect(await readAll('orders')).toEqual(times(400, (index) => `order-${index}=order ${index}`).sort());
  expect(await readAll('events.gzip')).toEqual(
    times(300, (index) => `k${(index % 50) % 7}=event ${index} ${'x'.repeat(200)}`).sort(),
  );
  const latest = times(10, (key) => `user-${key}=profile ${key} version 5`);
  expect(await readAll('profiles')).toEqual(expect.arrayContaining(latest));
  expect(await readAll('payments')).toEqual(times(20, (index) => `p${index >> 1}=paid ${index >> 1}`).sort());
});

test.each(['billing-readers', 'audit', 'fixed-offsets', 'new-protocol'])(
  'keeps the offsets of group %s',
  async (groupId) => {
    const fetched = await admin.fetchOffsets({ groupId });
    const committed = fetched.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions
        .filter(({ offset }) => offset !== '-1')
        .map(({ partition, offset }) => ({ partition, offset }))
        .sort((left, right) => left.partition - right.partition),
    }));
    expect(committed.filter(({ partitions }) => partitions.length > 0)).toEqual(recorded.groups[groupId]);
  },
);

test('keeps users, ACLs and quotas, and enforces them', async () => {
  const params = { path: { clusterId: recorded.demo.clusterId } };
  const users = await api.GET('/clusters/{clusterId}/users', { params });
  expect(
    users.data?.items.map(({ user, credentials }) => ({
      user,
      mechanisms: credentials.map(({ mechanism }) => mechanism).sort(),
    })),
  ).toEqual(recorded.users);
  const acls = (await api.GET('/clusters/{clusterId}/acls', { params })).data?.items;
  // Not in the recorded order: the list is sorted by resource.
  expect(acls).toHaveLength(recorded.acls.length);
  expect(acls).toEqual(expect.arrayContaining(recorded.acls));
  expect((await api.GET('/clusters/{clusterId}/quotas', { params })).data?.items).toEqual(recorded.quotas);
  expect(await readAll('events.gzip', 'bob')).toHaveLength(300);
  await expect(readAll('orders', 'bob')).rejects.toThrow(/authorization failed/i);
});

test('keeps keys as valid or revoked as they were', async () => {
  const { data } = await api.GET('/clusters/{clusterId}/agent-keys', {
    params: { path: { clusterId: recorded.demo.clusterId } },
  });
  expect(data?.items.map(({ id, name, revokedAt }) => ({ id, name, revokedAt }))).toEqual(
    recorded.agentKeys.map(({ id, name, revokedAt }) => ({ id, name, revokedAt })),
  );
  const other = await system.startAgent(recorded.otherCluster);
  await run('kcat', ['-P', '-b', other.bootstrap, '-t', 'new-topic'], { input: 'first\n' });
  expect(await run('kcat', ['-C', '-q', '-e', '-b', other.bootstrap, '-t', 'new-topic'])).toBe('first\n');
  await expect(
    system.startAgent({ agentKey: recorded.revokedAgentKey, clusterId: recorded.demo.clusterId }),
  ).rejects.toThrow(/revoked/i);
  // The start fails when the agent says so in its log, a moment before its process ends.
  await until('the agent has ended', () => deaths.length > 0);
  // It is the only one in this file.
  expect(deaths.splice(0)).toEqual([expect.stringMatching(/revoked/i)]);
});

test('keeps the issued invoice, sealed as it was', async () => {
  const { data } = await api.GET('/invoices/{invoiceId}', { params: { path: { invoiceId: recorded.invoice.id } } });
  expect(data).toMatchObject(recorded.invoice);
});

test('recomputes the bill from the journal to the cent', async () => {
  const { stdout } = await promisify(execFile)(
    pinnedNode,
    [
      join(root, 'apps/admin/src/main.ts'),
      ...['billing', 'recompute'],
      ...['--organization', recorded.demo.organizationId, '--month', '2026-11', '--json'],
    ],
    { env: { ...process.env, DATABASE_URL: system.databaseUrl } },
  );
  expect(JSON.parse(stdout)).toMatchObject({ isEqual: true });
});
