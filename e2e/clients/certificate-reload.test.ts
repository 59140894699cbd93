// The certificate of a listener is replaced while many clients write and read: none loses its connection or a record.
import { copyFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TOPIC, TOPIC_PARTITIONS } from './access/apis.ts';
import { TestListeners } from './access/listeners.ts';
import { OpenConsumer, OpenProducer } from './access/open-clients.ts';
import { admin, alice, asAdmin, createTopic } from './access/rights.ts';
import { issueServerCertificate } from './support/certificates.ts';
import { until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { setUsers } from './support/user-credentials.ts';

const PRODUCERS = 150;
const CONSUMERS = 50;
const REPLACEMENTS = 3;
/** Until the agent knows of a change; only for hangs. */
const KNOWN = { timeout: 30_000, interval: 50 };

let system: TestSystem;
let folder: string;
let listeners: TestListeners;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-reload-'));
  listeners = await TestListeners.prepare(folder, []);
  system = await startTestSystem({ agents: [{ env: listeners.agentEnv() }] });
  const { demo, metadata } = system;
  await setUsers(metadata[0]?.url ?? '', demo ?? { agentKey: '', clusterId: '' }, [alice, admin]);
  await vi.waitFor(() => asAdmin(listeners.addresses.plain, 'scram-sha-256', createTopic), KNOWN);
});

afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The common name in the certificate that a new connection gets. */
async function shownName(): Promise<string> {
  const [host = '', port = ''] = listeners.addresses.tls.split(':');
  const ca = await readFile(listeners.files.authority);
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host, port: Number(port), ca });
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

/** Replaces the files one after the other, as tools for certificates do. */
async function replaceCertificate(name: string): Promise<void> {
  const issued = await issueServerCertificate(folder, name);
  const { certificate, key } = listeners.files;
  for (const [from, to] of [
    [issued.certificate, certificate],
    [issued.key, key],
  ] as const) {
    await copyFile(from, `${to}.new`);
    await rename(`${to}.new`, to);
  }
}

// New connections get the new one.
test('a replaced certificate interrupts none of 200 clients', async () => {
  const method = { listener: 'tls', mechanism: 'PLAIN' } as const;
  const to = (index: number) => ({ topic: TOPIC, partition: index % TOPIC_PARTITIONS });
  const open = async () => {
    const { connection, errorCode } = await listeners.signIn(method, alice);
    expect(errorCode).toBe(0);
    return connection;
  };
  const opened = await Promise.all(Array.from({ length: PRODUCERS + CONSUMERS }, open));
  const producers = opened.slice(0, PRODUCERS).map((connection, index) => new OpenProducer(connection, to(index)));
  const consumers = opened.slice(PRODUCERS).map((connection, index) => new OpenConsumer(connection, to(index)));
  const clients = [...producers, ...consumers];
  expect(await shownName()).toBe('agent');
  for (let replacement = 1; replacement <= REPLACEMENTS; replacement += 1) {
    const name = `agent-${replacement}`;
    await replaceCertificate(name);
    await until(`new connections get the certificate of ${name}`, async () => (await shownName()) === name);
    await Promise.all(clients.map((client) => client.flows()));
  }
  const ends = await Promise.all(producers.map((producer) => producer.stop()));
  const written = Array.from({ length: TOPIC_PARTITIONS }, (_, partition) =>
    producers
      .filter((_producer, index) => to(index).partition === partition)
      .flatMap(({ offsets }) => offsets)
      .sort((left, right) => left - right),
  );
  // Every record is written once, so that the offsets of a partition have no gaps.
  expect(written).toEqual(written.map((offsets) => offsets.map((_, index) => index)));
  await until('every consumer has got every record', () =>
    consumers.every(({ offsets }, index) => offsets.length === written[to(index).partition]?.length),
  );
  ends.push(...(await Promise.all(consumers.map((consumer) => consumer.stop()))));
  expect(ends.filter(({ errorCode }) => errorCode !== 0)).toEqual([]);
  const records = written.flat().length;
  console.log(
    `${clients.length} connections, ${REPLACEMENTS} new certificates: 0 connections and 0 of ${records} records lost`,
  );
});
