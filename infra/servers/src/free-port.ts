// Ports for tests and local systems, so that parallel runs do not collide: neither at once nor between a port's choice and its use.
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral range (Linux: from 32,768), from which another program could get the port meanwhile. */
const ownPorts: PortRange = { first: 20_000, count: 12_000 };
const ATTEMPTS = 200;

export interface PortRange {
  first: number;
  count: number;
}

/** A free TCP port of the loopback interface, reserved for this process as long as it lives. */
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
 * Reserves the port by binding the UDP port of the same number, which disturbs no server: only one process can have it, and it is released
 * when that process exits in any way. Undefined when another process has it.
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
