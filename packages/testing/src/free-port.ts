// Ports for tests and local systems, so that runs side by side do not meet: neither at once nor between a port's choice and its use.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems hand out by themselves (Linux: from 32,768), as one of which another program could get it meanwhile. */
const ownPorts: PortRange = { first: 20_000, count: 12_000 };
const ATTEMPTS = 200;

export interface PortRange {
  first: number;
  count: number;
}

/** A TCP port of the loopback interface that nobody listens on, and that nobody else gets from here as long as this process lives. */
export async function freePort({ first, count }: PortRange = ownPorts): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = first + randomInt(count);
    const release = await claim(port);
    if (release === undefined) {
      continue;
    }
    if (await isFree(port)) {
      return port;
    }
    release();
  }
  throw new Error(`No port from ${first} to ${first + count - 1} is free`);
}

/**
 * Takes the UDP port of the same number, which stands in nobody's way: one process alone can have it, and it is free again when that
 * process ends, however it ends. Undefined: another one has it.
 */
async function claim(port: number): Promise<(() => void) | undefined> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
  } catch {
    socket.close();
    return undefined;
  }
  socket.unref();
  return () => socket.close();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
