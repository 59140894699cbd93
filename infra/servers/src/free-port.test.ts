import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort, type PortRange } from './free-port.ts';

const node = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));
const module = fileURLToPath(new URL('./free-port.ts', import.meta.url));

function only(port: number): PortRange {
  return { first: port, count: 1 };
}

/** Another process takes a port, prints it, and exits. */
async function askElsewhere(range?: PortRange): Promise<number> {
  const asking = `import(${JSON.stringify(module)}).then(({ freePort }) => freePort(${JSON.stringify(range)}))`;
  const { stdout } = await promisify(execFile)(node, ['--eval', `${asking}.then((port) => console.log(port))`]);
  return Number(stdout);
}

// Even before a server listens on it.
test('no port is given twice, even across processes', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
  const [port = 0] = ports;
  await expect(freePort(only(port))).rejects.toThrow('No port');
  await expect(askElsewhere(only(port))).rejects.toThrow('No port');
});

test('a port in use is not given', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  await expect(freePort(only((server.address() as AddressInfo).port))).rejects.toThrow('No port');
  server.close();
});

test('a port is freed when its process has exited', async () => {
  const port = await askElsewhere();
  expect(await freePort(only(port))).toBe(port);
});
