// Group lists, while other callers send long filters and many names.
import { create } from '@bufbuild/protobuf';
import { DescribeGroupConfigsRequestSchema, ListGroupsRequestSchema } from '@penstock/metadata-protocol';
import { afterEach, expect, test, vi } from 'vitest';
import type { Owner } from '../owners/owner.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import type { AgentCallContext } from './agent-call.ts';
import { describeGroupConfigs } from './describe-group-configs.ts';
import { listGroups } from './list-groups.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const GROUPS = 300;

function contextOf(owner: Owner): { context: AgentCallContext; turns: () => number } {
  const turn = vi.fn(() => undefined);
  return { context: { owner, turn } as unknown as AgentCallContext, turns: () => turn.mock.calls.length };
}

async function ownerOfGroups(): Promise<Owner> {
  const owner = await new ClusterFixture().open();
  for (let group = 0; group < GROUPS; group += 1) {
    await owner.groups.join({
      kind: 'join-group',
      groupId: `group-${group}`,
      sessionTimeoutMs: 45_000,
      rebalanceTimeoutMs: 60_000,
      memberId: '',
      newMemberId: `member-${group}`,
      groupInstanceId: null,
      protocolType: 'consumer',
      protocols: [{ name: 'range', metadata: new Uint8Array() }],
      clientId: 'client',
      clientHost: '127.0.0.1',
      requireKnownMemberId: true,
      initialRebalanceDelayMs: 0,
    });
  }
  return owner;
}

test('reads the names of a filter once for any number of groups', async () => {
  const { context } = contextOf(await ownerOfGroups());
  const states = Array.from({ length: 1_000 }, (_, state) => `State ${state}`);
  const lowered = vi.spyOn(String.prototype, 'toLowerCase');
  await listGroups(context, create(ListGroupsRequestSchema, { states }));
  expect(lowered.mock.calls.length).toBeLessThanOrEqual(states.length + 2 * GROUPS);
});

test('configs of many groups are described in steps', async () => {
  const { context, turns } = contextOf(await new ClusterFixture().open());
  const groupIds = Array.from({ length: 1_000 }, (_, group) => `group-${group}`);
  await describeGroupConfigs(context, create(DescribeGroupConfigsRequestSchema, { groupIds }));
  expect(turns()).toBeGreaterThanOrEqual(9);
});
