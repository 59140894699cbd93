// What the clusters of one organization may hold in a process, seen over RPC.
import { ErrorCode } from '@penstock/metadata-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MIB } from './memory/memory-limit.ts';
import { startServer } from './server.ts';
import { type AgentConnection, connectAgent } from './testing/agent-client.ts';
import { silentLogger } from './testing/cluster-fixture.ts';
import { type ClusterWithKey, ControlPlaneFixture } from './testing/control-plane-fixture.ts';
import { testSettings } from './testing/test-server.ts';

/** As much as fits into a call through Connect's adapter. */
const METADATA = new Uint8Array(48 * 1024);
const GROUPS = 240;
const TRIAL_MIB = 6;

let controlPlane: ControlPlaneFixture;
const endings: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) {
    await end();
  }
});

afterAll(() => controlPlane.drop());

async function start() {
  const settings = { ...testSettings(controlPlane.database.ownerUrl), stateBudget: { trialMib: TRIAL_MIB } };
  const server = await startServer(settings, silentLogger);
  endings.push(() => server.close());
  return server;
}

function connect(url: string, cluster: ClusterWithKey): AgentConnection['client'] {
  const connection = connectAgent(url, cluster);
  endings.push(() => connection.close());
  return connection.client;
}

async function metric(httpUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${httpUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** One after the other. */
async function joins(client: AgentConnection['client'], groupIds: readonly string[]) {
  const answers: Awaited<ReturnType<typeof client.joinGroup>>[] = [];
  for (const groupId of groupIds) {
    answers.push(
      await client.joinGroup({
        groupId,
        sessionTimeoutMs: 1_800_000,
        rebalanceTimeoutMs: 60_000,
        protocolType: 'consumer',
        protocols: [{ name: 'range', metadata: METADATA }],
        clientId: 'c',
        clientHost: '/h',
      }),
    );
  }
  return answers;
}

test('large joins stay under the budget and return memory', async () => {
  const server = await start();
  const client = connect(server.rpcUrl, await controlPlane.createCluster());
  const sibling = connect(server.rpcUrl, await controlPlane.createCluster());
  const stranger = connect(server.rpcUrl, await controlPlane.createCluster('other'));
  const state = (): Promise<number> => metric(server.httpUrl, 'penstock_metadata_state_bytes');
  await Promise.all([client, sibling, stranger].map((each) => each.describeCluster({})));
  const empty = await state();

  const groupIds = Array.from({ length: GROUPS }, (_, at) => `mem${at}`);
  const answers = await joins(client, groupIds);
  const joined = answers.filter(({ errorCode }) => errorCode === ErrorCode.NONE);
  const refused = answers.filter(({ errorCode }) => errorCode === ErrorCode.GROUP_MAX_SIZE_REACHED);
  expect(joined.length).toBeGreaterThan(TRIAL_MIB / 2);
  expect(joined.length + refused.length).toBe(GROUPS);
  expect(await state()).toBeLessThan(TRIAL_MIB * MIB + empty);
  expect(await metric(server.httpUrl, 'penstock_metadata_state_refusals_total')).toBe(refused.length);

  // The organization's other cluster shares the budget. One of another organization does not.
  expect((await joins(sibling, ['s']))[0]?.errorCode).toBe(ErrorCode.GROUP_MAX_SIZE_REACHED);
  expect((await joins(stranger, ['s']))[0]?.errorCode).toBe(ErrorCode.NONE);

  // What does not grow goes on: the member's heartbeat, its next join, and its leaving.
  const [first] = joined;
  const groupId = groupIds[answers.findIndex((answer) => answer === first)] ?? '';
  const member = { groupId, generationId: first?.generationId ?? 0, memberId: first?.memberId ?? '' };
  expect((await client.groupHeartbeat(member)).errorCode).not.toBe(ErrorCode.UNKNOWN_MEMBER_ID);
  for (const [at, { memberId }] of answers.entries()) {
    if (memberId !== '') {
      await client.leaveGroup({ groupId: groupIds[at] ?? '', members: [{ memberId }] });
    }
  }
  await client.deleteGroups({ groupIds });
  expect(await state()).toBeLessThan(empty + 3 * MIB);
  expect((await joins(client, ['again']))[0]?.errorCode).toBe(ErrorCode.NONE);
});
