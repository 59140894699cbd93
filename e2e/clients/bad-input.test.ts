// Malformed input: other clients are served and memory stays flat.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clients } from './support/clients.ts';
import { crc32c } from './support/crc32c.ts';
import {
  ask,
  closed,
  frame,
  header,
  int16,
  int32,
  open,
  produceRaw,
  recordBatch,
  string,
} from './support/raw-kafka.ts';
import { faultsOf, makeValues } from './support/records.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';

let system: TestSystem;
let bootstrap = '';
const [kcat] = clients;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}] });
  bootstrap = system.agents[0]?.bootstrap ?? '';
  await createTopic(bootstrap, 'served', 3);
});
afterAll(async () => {
  expect(system.deaths).toEqual([]);
  await system.stop();
});

function rssMib(): number {
  const status = readFileSync(`/proc/${system.agents[0]?.process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** A round trip of another client. */
async function othersAreServed(topic: string): Promise<void> {
  const values = makeValues(200);
  await createTopic(bootstrap, topic, 1);
  await kcat?.produce(bootstrap, topic, values, 'none');
  expect(faultsOf((await kcat?.consume(bootstrap, topic, values.length)) ?? [], values)).toEqual([]);
}

test('the checksum function of these tests is CRC-32C', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
});

const hostile: [string, Buffer][] = [
  ['the length 0x7fffffff', int32(0x7fffffff)],
  ['a negative length', int32(-1)],
  ['a length far above the limit with some bytes', Buffer.concat([int32(0x40000000), randomBytes(4_096)])],
  // The first byte makes the length impossible. Otherwise one run in forty would announce a frame below the limit, and wait for the rest.
  ['garbage', Buffer.concat([Buffer.from([0x7f]), randomBytes(8_191)])],
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['an unknown API', frame(Buffer.concat([int16(999), int16(0), int32(1), string('raw')]))],
  ['an empty frame', frame(Buffer.alloc(0))],
  ['a frame that ends inside its header', frame(Buffer.from([0, 3, 0]))],
  ['an array of two thousand million topics', frame(Buffer.concat([header(3, 1), int32(0x7fffffff)]))],
  ['an array of minus two topics', frame(Buffer.concat([header(3, 1), int32(-2)]))],
  ['a string longer than its frame', frame(Buffer.concat([header(3, 1), int32(1), int16(0x7fff), Buffer.from('x')]))],
  [
    'a compact array bomb',
    frame(Buffer.concat([header(3, 9), Buffer.from([0]), Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f])])),
  ],
  [
    'records longer than their frame',
    frame(
      Buffer.concat([
        header(0, 3),
        int16(-1),
        int16(-1),
        int32(1_000),
        int32(1),
        string('served'),
        int32(1),
        int32(0),
        int32(0x7ffffff0),
      ]),
    ),
  ],
];

test.each(hostile)('%s closes that connection and affects no other', async (what, bytes) => {
  const before = rssMib();
  const sockets = await Promise.all(Array.from({ length: 20 }, () => open(bootstrap)));
  for (const socket of sockets) {
    socket.write(bytes);
  }
  await Promise.all(sockets.map(closed));
  expect(rssMib() - before).toBeLessThan(48);
  await ask(bootstrap, header(18, 0));
  expect(system.deaths, what).toEqual([]);
});

test('an unfinished frame blocks no client and leaks no memory', async () => {
  const before = rssMib();
  const sockets = await Promise.all(Array.from({ length: 50 }, () => open(bootstrap)));
  for (const socket of sockets) {
    // Announces 16 MiB and sends the first kilobyte.
    socket.write(Buffer.concat([int32(16 * 1024 * 1024), header(0, 3), Buffer.alloc(1_024)]));
  }
  await othersAreServed('beside-truncated');
  expect(rssMib() - before).toBeLessThan(128);
  for (const socket of sockets) {
    socket.destroy();
  }
});

test('ApiVersions of a future version lists supported ones', async () => {
  // UNSUPPORTED_VERSION, in response version 0, for any version of the request.
  const answer = await ask(bootstrap, Buffer.concat([header(18, 99), Buffer.from([0, 1, 1, 0])]));
  expect(answer.readInt16BE(4)).toBe(35);
});

test('ten thousand idle connections cost others nothing', async () => {
  const wanted = Number(process.env['PENSTOCK_E2E_IDLE_SOCKETS'] ?? 10_000);
  const before = rssMib();
  const sockets: Socket[] = [];
  try {
    const batch = 500;
    for (let from = 0; from < wanted; from += batch) {
      // Several source addresses: each has fewer than 28,000 ports, and other programs may use some of them.
      const localAddress = `127.0.1.${1 + ((from / batch) % 4)}`;
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(batch, wanted - from) }, () => open(bootstrap, localAddress)),
        )),
      );
    }
    expect(sockets).toHaveLength(wanted);
    await othersAreServed('beside-idle');
    // At most 16 KiB per idle connection.
    expect(rssMib() - before).toBeLessThan((wanted * 16) / 1024);
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
  }
  await othersAreServed('after-idle');
});

test('a wrong checksum is CORRUPT_MESSAGE and is not stored', async () => {
  await createTopic(bootstrap, 'checksums', 1);
  const corruptMessage = 2;
  expect(await produceRaw(bootstrap, 'checksums', recordBatch('good'))).toMatchObject({ errorCode: 0, baseOffset: 0 });
  const refused = await produceRaw(bootstrap, 'checksums', recordBatch('damaged', { isDamaged: true }));
  expect(refused.errorCode).toBe(corruptMessage);
  const again = await produceRaw(bootstrap, 'checksums', recordBatch('good again'));
  expect(again).toMatchObject({ errorCode: 0, baseOffset: 1 });
  const consumed = (await kcat?.consume(bootstrap, 'checksums', 2)) ?? [];
  expect(consumed.map(({ offset }) => offset)).toEqual([0, 1]);
});
