// The snippets of the Connect page, run as they are shown: they sign in over TLS and read what they wrote.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientConnection, clientSnippets } from '../../apps/web/features/connect/client-snippets.ts';
import { confluentKafkaPython } from '../../infra/local/tools.ts';
import { makeCertificates, type TlsFiles } from './support/certificates.ts';
import { createTopic } from './support/java-tools.ts';
import { type RunningProgram, run, start, until } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { setUsers } from './support/user-credentials.ts';

const billing = { user: "bill'ing", password: 'not in any snippet' };

let system: TestSystem;
let folder: string;
let files: TlsFiles;
let connection: ClientConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-snippets-'));
  files = await makeCertificates(folder);
  const plain = `127.0.0.1:${await freePort()}`;
  const tls = `127.0.0.1:${await freePort()}`;
  const listeners = [
    `name=plain,address=${plain}`,
    `name=tls,address=${tls},tls=${files.certificate}:${files.key},auth=scram+plain`,
  ];
  system = await startTestSystem({ agents: [{ env: { PENSTOCK_LISTENER: listeners.join(';') } }] });
  await createTopic(plain, 'hello', 1);
  const { demo, metadata } = system;
  if (demo === undefined || metadata[0] === undefined) {
    throw new Error('The system has no demo cluster');
  }
  await setUsers(metadata[0].url, demo, [billing]);
  connection = { bootstrap: tls, isTls: true, signIn: { user: billing.user, mechanism: 'SCRAM-SHA-512' } };
});
afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The snippet, with the lines for a private certificate authority turned on as its comments say. */
function snippetFor(id: string, mechanism: 'SCRAM-SHA-512' | 'SCRAM-SHA-256' | 'PLAIN'): string {
  const signIn = { user: billing.user, mechanism };
  const code = clientSnippets({ ...connection, signIn }).find((snippet) => snippet.id === id)?.code ?? '';
  return code
    .replaceAll('kcat -b', 'kcat -X ssl.ca.location=ca.pem -b')
    .replaceAll(/^(\s*)(?:\/\/|#) ("|ssl|import)/gm, '$1$2')
    .replace('  ssl: true,\n', '')
    .replaceAll('ca.pem', files.authority);
}

const env = { KAFKA_PASSWORD: billing.password };

/** Ends the program once it has printed the record. */
async function readsItsRecord(reader: RunningProgram): Promise<void> {
  const isRead = (): boolean => reader.stdout().includes('Hello, Penstock');
  await until('the record comes back', () => isRead() || reader.child.exitCode !== null);
  expect(isRead(), reader.stderr()).toBe(true);
  reader.child.kill();
  await reader.exited;
}

test('kcat reads what it wrote', async () => {
  expect(await run('bash', ['-c', snippetFor('kcat', 'SCRAM-SHA-256')], { env })).toContain('one\ntwo\nthree\n');
});

test('confluent-kafka reads what it wrote', async () => {
  const file = join(folder, 'hello.py');
  await writeFile(file, snippetFor('confluent-kafka', 'SCRAM-SHA-512'));
  const reader = start(await confluentKafkaPython(), [file], { env });
  await readsItsRecord(reader);
});

test('kafkajs reads what it wrote', async () => {
  // In the folder of the tests, so that it finds their kafkajs.
  const file = join(import.meta.dirname, `.hello-${process.pid}.mjs`);
  try {
    await writeFile(file, snippetFor('kafkajs', 'PLAIN'));
    const reader = start(process.execPath, [file], { env });
    await readsItsRecord(reader);
  } finally {
    await rm(file, { force: true });
  }
});
