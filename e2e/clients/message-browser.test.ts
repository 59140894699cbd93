// Records from kcat as an agent serves them to a browser: every codec, keys, headers, and bytes that are not text.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBrowseTokenSigner, createMetadataAdmin } from '@penstock/clusters';
import type { RootSecrets } from '@penstock/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageBrowserOnLoopback, type RunningAgent } from '../../infra/local/system.ts';
import { run } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

const codecs = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
const ORIGIN = 'https://app.example.com';
const CANARY = 'canary-5f1b9c';

let system: TestSystem;
let agent: RunningAgent;
let plainAgent: RunningAgent;
let url: string;
let agentId: string;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{ env: messageBrowserOnLoopback }, {}] });
  const [first, second] = system.agents;
  if (first === undefined || second === undefined) {
    throw new Error('two agents were asked for');
  }
  [agent, plainAgent] = [first, second];
  const urls = system.metadata.map(({ adminUrl }) => adminUrl);
  const admin = createMetadataAdmin({ urls, keys: system.adminKeys });
  const { agents } = await admin.getClusterView(system.demo?.clusterId ?? '');
  agentId = agents.find(({ messageBrowserUrl }) => messageBrowserUrl !== '')?.agentId ?? '';
  url = /message browser enabled url="?(http:[^\s"]+)/.exec(await logOf('agent'))?.[1] ?? '';
});

afterAll(async () => {
  await system.stop();
  expect(system.deaths).toEqual([]);
});

function logOf(name: string): Promise<string> {
  return readFile(join(system.home, 'logs', `${name}.log`), 'utf8');
}

function tokenFor(topic: string, keys: RootSecrets = system.browseKeys, agentIds = [agentId]): string {
  const clusterId = system.demo?.clusterId ?? '';
  const facts = { clusterId, topic, agentIds, organizationId: 'o', actorId: 'a', issuedAt: new Date() };
  return createBrowseTokenSigner(keys, ORIGIN).sign(facts);
}

interface Content {
  base64: string;
}
interface Answer {
  code?: string;
  records: { offset: number; key: Content | null; value: Content; headers: { key: Content; value: Content }[] }[];
  scannedRecords: number;
}

async function ask(question: object, token: string, agentUrl = url): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(`${agentUrl}/v1/records`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, origin: ORIGIN, 'content-type': 'application/json' },
    body: JSON.stringify({ partition: 0, from: { at: 'earliest' }, ...question }),
  });
  return { status: response.status, answer: (await response.json().catch(() => ({}))) as Answer };
}

function bytes(content: Content | null | undefined): Buffer {
  return Buffer.from(content?.base64 ?? '', 'base64');
}

async function produce(topic: string, lines: string[], options: string[] = []): Promise<void> {
  const input = `${lines.join('\n')}\n`;
  await run('kcat', ['-P', '-b', agent.bootstrap, '-t', topic, '-p', '0', ...options], { input });
}

test.each(codecs)('records compressed with %s are shown in full', async (codec) => {
  const topic = `browse-${codec}`;
  const lines = Array.from({ length: 200 }, (_, index) => `k${index % 10}:{"n":${index},"${CANARY}":"Grüße"}`);
  await produce(topic, lines, ['-K:', '-z', codec, '-H', 'trace=abc', '-H', 'empty=']);
  const { status, answer } = await ask({ topic, limit: 500 }, tokenFor(topic));
  expect(status).toBe(200);
  const shown = answer.records.map(({ key, value }) => `${bytes(key)}:${bytes(value)}`);
  expect(shown).toEqual(lines);
  expect(answer.records[7]?.headers.map(({ key, value }) => `${bytes(key)}=${bytes(value)}`)).toEqual([
    'trace=abc',
    'empty=',
  ]);

  const keyBase64 = Buffer.from('k3').toString('base64');
  const found = await ask({ topic, keyBase64, limit: 5 }, tokenFor(topic));
  expect(found.answer.records.map(({ offset }) => offset)).toEqual([3, 13, 23, 33, 43]);
  expect(found.answer.scannedRecords).toBe(44);
});

test('bytes that are not text are returned unchanged', async () => {
  const file = join(system.home, 'binary');
  const content = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a, 0x41]);
  await writeFile(file, content);
  await run('kcat', ['-P', '-b', agent.bootstrap, '-t', 'browse-binary', '-p', '0', file]);
  const { answer } = await ask({ topic: 'browse-binary' }, tokenFor('browse-binary'));
  expect(bytes(answer.records[0]?.value)).toEqual(content);
});

// Neither records nor tokens are logged.
test('a token for another secret or topic is rejected', async () => {
  const foreign = await ask(
    { topic: 'browse-gzip' },
    tokenFor('browse-gzip', [{ id: 1, secret: 'another secret of thirty-two chars!' }]),
  );
  expect([foreign.status, foreign.answer.code]).toEqual([401, 'token_signature']);
  const other = await ask({ topic: 'browse-gzip' }, tokenFor('browse-lz4'));
  expect([other.status, other.answer.code]).toEqual([403, 'token_topic']);
  const elsewhere = await ask({ topic: 'browse-gzip' }, tokenFor('browse-gzip', system.browseKeys, ['agent-2']));
  expect([elsewhere.status, elsewhere.answer.code]).toEqual([403, 'token_agent']);
  for (const name of ['agent', 'agent-2', 'metadata', 'postgres']) {
    const log = await logOf(name);
    expect(log).not.toContain(CANARY);
    expect(log).not.toContain('eyJ');
  }
});

test('an agent without the option serves no records', async () => {
  expect(await logOf('agent')).toContain('message browser enabled');
  expect(await logOf('agent-2')).not.toContain('message browser enabled');
  const { status } = await ask({ topic: 'browse-gzip' }, tokenFor('browse-gzip'), plainAgent.httpUrl);
  expect(status).toBe(405);
});
