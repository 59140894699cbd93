// The recorded calls, over the RPC of the service and with PostgreSQL.
import { create, type Message } from '@bufbuild/protobuf';
import { MetadataService, WatchEventSchema } from '@penstock/metadata-protocol';
import { afterAll, beforeAll } from 'vitest';
import { describeRecordedCalls } from '../contract/recorded-calls-contract.ts';
import type { MetadataServer } from '../server.ts';
import { connectAgent } from '../testing/agent-client.ts';
import { ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.ownerUrl);
});

afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});

describeRecordedCalls('the service', async () => {
  const { clusterId, key } = await controlPlane.createCluster();
  const { client, close } = connectAgent(server.rpcUrl, { key, clusterId });
  const abort = new AbortController();
  const unary = client as unknown as Record<string, (request: Message) => Promise<Message>>;
  return {
    nowMs: () => Date.now(),
    call: async (method, request) => {
      const answer = unary[method.localName]?.(request);
      if (answer === undefined) {
        throw new Error(`the client has no call ${method.localName}`);
      }
      return await answer;
    },
    watch: async (agentId) => {
      const events = client
        .watch(create(MetadataService.method.watch.input, { agentId }), { signal: abort.signal })
        [Symbol.asyncIterator]();
      return { next: async () => create(WatchEventSchema, (await events.next()).value ?? {}) };
    },
    close: async () => {
      abort.abort();
      close();
    },
  };
});
