// Each fault does what its name says to its requests, and nothing to others.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultyS3, type S3FaultKind, s3FaultKinds, startFaultyS3 } from './faulty-s3.ts';

let server: Server;
let proxy: FaultyS3;
/** Requests that reached the server. */
let done: string[];

beforeEach(async () => {
  done = [];
  server = createServer((request, response) => {
    done.push(`${request.method} ${request.url} ${request.headers.host}`);
    response.end(`the content of ${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await startFaultyS3(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => 0);
});
afterEach(async () => {
  await proxy.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Status and body of the response, or the name of the error. */
async function put(signal?: AbortSignal): Promise<string> {
  try {
    const answer = await fetch(`${proxy.url}/bucket/a`, { method: 'PUT', body: 'abc', ...(signal && { signal }) });
    return `${answer.status} ${await answer.text()}`;
  } catch (error) {
    return error instanceof Error ? error.name : 'no error';
  }
}

function strike(kind: S3FaultKind): void {
  proxy.setFault({ kind, methods: ['PUT'], probability: 1, delay_ms: 20 });
}

const reached = (): string[] => [`PUT /bucket/a ${new URL(proxy.url).host}`];

test('requests without a fault pass through with their host', async () => {
  expect(await put()).toBe('200 the content of /bucket/a');
  strike('internal-error');
  expect(await (await fetch(`${proxy.url}/bucket/a`)).text()).toBe('the content of /bucket/a');
  expect(done[0]).toBe(reached()[0]);
  expect(proxy.struck.size).toBe(0);
});

const answers: { kind: S3FaultKind; answer: RegExp; isDone: boolean }[] = [
  { kind: 'internal-error', answer: /^500 .*InternalError/, isDone: false },
  { kind: 'slow-down', answer: /^503 .*SlowDown/, isDone: false },
  { kind: 'dropped', answer: /^TypeError$/, isDone: false },
  { kind: 'delayed', answer: /^200 the content/, isDone: true },
  { kind: 'done-then-error', answer: /^500 /, isDone: true },
  { kind: 'done-then-dropped', answer: /^TypeError$/, isDone: true },
  { kind: 'answer-cut', answer: /^TypeError$/, isDone: true },
];

for (const { kind, answer, isDone } of answers) {
  test(`${kind} reaches the client; executed: ${isDone}`, async () => {
    strike(kind);
    expect(await put()).toMatch(answer);
    expect(done).toEqual(isDone ? reached() : []);
    expect([...proxy.struck]).toEqual([[`PUT ${kind}`, 1]]);
  });
}

for (const kind of s3FaultKinds.filter((one) => one.endsWith('hanging'))) {
  test(`${kind}: no response arrives`, async () => {
    strike(kind);
    const giveUp = new AbortController();
    const answer = put(giveUp.signal);
    await expect.poll(() => proxy.struck.get(`PUT ${kind}`), { timeout: 30_000 }).toBe(1);
    if (kind === 'done-then-hanging') {
      await expect.poll(() => done, { timeout: 30_000 }).toEqual(reached());
    }
    giveUp.abort();
    expect(await answer).toBe('AbortError');
    expect(done).toEqual(kind === 'hanging' ? [] : reached());
  });
}

test('a GET of a bucket counts as a listing', async () => {
  proxy.setFault({ kind: 'slow-down', methods: ['LIST'], probability: 1, delay_ms: 0 });
  expect((await fetch(`${proxy.url}/bucket?list-type=2&prefix=a`)).status).toBe(503);
  expect((await fetch(`${proxy.url}/bucket/a`)).status).toBe(200);
});

test('a bulk delete counts as a DELETE', async () => {
  proxy.setFault({ kind: 'internal-error', methods: ['DELETE'], probability: 1, delay_ms: 0 });
  const answer = await fetch(`${proxy.url}/bucket?delete`, { method: 'POST', body: 'abc' });
  expect(answer.status).toBe(500);
  expect(done).toEqual([]);
  expect(await put()).toBe('200 the content of /bucket/a');
});
