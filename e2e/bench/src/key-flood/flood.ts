// Sends calls with unknown keys at a fixed rate, whatever their outcome, from several addresses of the loopback network.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { generateAgentKey } from '@penstock/platform';
import { callJson } from './json-call.ts';

const TICK_MS = 10;

export interface KeyFlood {
  /** Stops it and returns the number of responses by kind. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

export function startKeyFlood(rpcUrl: string, flood: { keysPerS: number; addresses: number }): KeyFlood {
  const { hostname: host, port: portText } = new URL(rpcUrl);
  const port = Number(portText);
  const connections = Array.from({ length: flood.addresses }, (_, number) =>
    connect(rpcUrl, { createConnection: () => connectSocket({ host, port, localAddress: `127.0.0.${number + 2}` }) }),
  );
  const answers = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const clusterId = randomUUID();
  let sent = 0;

  async function send(number: number): Promise<void> {
    const connection = connections[number % connections.length];
    if (connection === undefined) {
      return;
    }
    const { plaintext } = generateAgentKey();
    const key = number % 2 === 0 ? plaintext : `${plaintext.slice(0, -1)}~`;
    const { body } = await callJson(connection, 'describeCluster', { clusterId, key }, {});
    const { code = 'none', message = '' } = body as { code?: string; message?: string };
    const what = message.includes('malformed') ? 'malformed' : message.includes('unknown:') ? 'unknown' : code;
    answers.set(what, (answers.get(what) ?? 0) + 1);
  }

  const timer = setInterval(() => {
    for (let due = (flood.keysPerS * TICK_MS) / 1_000; due > 0; due -= 1) {
      sent += 1;
      const call = send(sent).finally(() => underWay.delete(call));
      underWay.add(call);
    }
  }, TICK_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      for (const connection of connections) {
        connection.close();
      }
      return answers;
    },
  };
}
