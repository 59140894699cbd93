// How many watch streams agents may have, and what they may follow, seen over RPC.
import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorCode } from '@penstock/metadata-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAgent } from '../testing/agent-client.ts';
import { ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
const connections: AgentConnection[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.ownerUrl);
});
afterEach(() => {
  for (const { close } of connections.splice(0)) {
    close();
  }
});
afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});

async function connect(organizationId?: string): Promise<AgentConnection['client']> {
  const connection = connectAgent(server.rpcUrl, await controlPlane.createCluster(organizationId));
  connections.push(connection);
  return connection.client;
}

/** Opens a stream and reads its first event. `ended` resolves with the error that ends it. */
async function open(client: AgentConnection['client'], agentId: string) {
  const events = client.watch({ agentId })[Symbol.asyncIterator]();
  const { value } = await events.next();
  const ended = (async () => {
    for (;;) {
      await events.next();
    }
  })().catch((error: unknown) => ConnectError.from(error));
  return { watchId: value?.watchId ?? '', ended };
}

test('a fifth stream of one agent ends its oldest', async () => {
  const client = await connect();
  const oldest = await open(client, 'agent');
  for (let n = 0; n < 4; n += 1) {
    await open(client, 'agent');
  }
  expect(await oldest.ended).toMatchObject({
    code: Code.Aborted,
    rawMessage: expect.stringContaining('newer streams'),
  });
});

test('a non-paying organization has 200 streams in all', async () => {
  const client = await connect('trial');
  const sibling = await connect('trial');
  await Promise.all(Array.from({ length: 200 }, (_, n) => open(n % 2 === 0 ? client : sibling, `agent-${n}`)));
  const refused = await open(client, 'one-more').catch((error: unknown) => ConnectError.from(error));
  expect(refused).toMatchObject({
    code: Code.ResourceExhausted,
    rawMessage: expect.stringContaining('payment method'),
  });
  await open(await connect('other'), 'agent');
});

test('partitions that do not exist are not followed', async () => {
  const client = await connect();
  const { watchId } = await open(client, 'agent');
  const topicId = new Uint8Array(16).fill(9);
  const add = Array.from({ length: 250 }, (_, partition) => ({ topicId, partition }));
  const { states, refusal } = await client.updateInterest({ watchId, add });
  expect(new Set(states.map(({ errorCode }) => errorCode))).toEqual(new Set([ErrorCode.UNKNOWN_TOPIC_ID]));
  expect(refusal).toBe('');
});
