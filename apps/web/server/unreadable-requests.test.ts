import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerUnreadable } from './unreadable-requests.ts';

let server: Server;

beforeAll(async () => {
  server = createServer((_request, response) => response.end('read'));
  server.on('clientError', answerUnreadable);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

async function answerTo(request: string): Promise<{ status: number; type: string; problem: Record<string, unknown> }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(request);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += String(chunk);
  }
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    type: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
    problem: JSON.parse(body) as Record<string, unknown>,
  };
}

test.each([
  ['a query of 18 kB', `DELETE /api/v1/topics/x?confirmation=${'x'.repeat(18_000)} HTTP/1.1\r\nHost: h\r\n\r\n`, 431],
  ['headers of 18 kB', `GET /api/v1/topics HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(18_000)}\r\n\r\n`, 431],
  ['no HTTP at all', 'hello\r\n\r\n', 400],
])('answers %s with problem details', async (_what, request, status) => {
  const answer = await answerTo(request);
  expect(answer).toMatchObject({ status, type: 'application/problem+json', problem: { status } });
  expect(Object.keys(answer.problem)).toEqual(['type', 'title', 'status', 'detail', 'code', 'requestId']);
});
