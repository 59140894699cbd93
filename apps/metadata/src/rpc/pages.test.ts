// Pages of lists, answered by an owner whose state changes between the steps of an answer.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import {
  AdminListGroupsRequestSchema,
  AdminListTopicsRequestSchema,
  AdminListTopicsResponseSchema,
} from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import type { Owner } from '../owners/owner.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { listGroupViewsIn } from './list-group-views.ts';
import { listTopicViewsIn } from './list-topic-views.ts';

const nameOf = (number: number) => `topic-${String(number).padStart(4, '0')}`;

async function ownerOf(topics: number): Promise<{ fixture: ClusterFixture; owner: Owner }> {
  const fixture = new ClusterFixture();
  const owner = await fixture.open();
  for (let number = 0; number < topics; number += 1) {
    await fixture.createTopic(owner, nameOf(number));
  }
  return { fixture, owner };
}

/** Through its bytes, because a long list is in the message encoded. */
async function namesIn(owner: Owner, limit: number): Promise<(string | undefined)[]> {
  const request = create(AdminListTopicsRequestSchema, { page: { limit } });
  const message = await listTopicViewsIn(owner, request);
  const { topics } = fromBinary(AdminListTopicsResponseSchema, toBinary(AdminListTopicsResponseSchema, message));
  return topics.map(({ topic }) => topic?.name);
}

test('a page is full although some topics are deleted meanwhile', async () => {
  const { owner } = await ownerOf(400);
  const page = namesIn(owner, 250);
  // The first step lists a hundred. These are deleted before the second one.
  const names = [nameOf(150), nameOf(151), nameOf(249)];
  const deleted = owner.submit({ kind: 'delete-topics', names, topicIds: [] });
  const [listed] = await Promise.all([page, deleted]);
  expect(listed).toHaveLength(250);
  expect(listed).toEqual(listed.toSorted());
  expect(listed).not.toContain(nameOf(150));
  expect(listed.at(-1)).toBe(nameOf(252));
});

test.each([0, 1_001])('a page of %d entries is refused', async (limit) => {
  const { owner } = await ownerOf(1);
  const page = { limit };
  const refusal = { code: Code.InvalidArgument };
  await expect(listTopicViewsIn(owner, create(AdminListTopicsRequestSchema, { page }))).rejects.toMatchObject(refusal);
  await expect(listGroupViewsIn(owner, create(AdminListGroupsRequestSchema, { page }))).rejects.toMatchObject(refusal);
});
