import { type ClusterState, type Id, topicIdOf, topicNamesAfter } from '@penstock/metadata-core';
import {
  type AdminListTopicsRequest,
  AdminListTopicsResponseSchema,
  TopicViewSchema,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { nextRound } from './answer-in-steps.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { topicViewParts } from './messages/topic-view.ts';
import { checkedPage, firstOf } from './pages.ts';

const TOPICS = { entry: TopicViewSchema, fieldNumber: AdminListTopicsResponseSchema.field.topics.number };

/** AdminListTopics: a page of topics by name, or one topic. @throws ConnectError invalid_argument */
export async function listTopicViewsIn(owner: Owner, request: AdminListTopicsRequest) {
  const names = namesIn(request);
  const idsOf = function* (state: ClusterState): Generator<Id> {
    for (const name of names(state)) {
      const topicId = topicIdOf(state, name);
      if (topicId !== undefined) {
        yield topicId;
      }
    }
  };
  // A page may be long: topics have up to a million partitions.
  const topics = await encodeInSteps(
    { owner, turn: nextRound },
    TOPICS,
    idsOf,
    topicViewParts,
    Number.POSITIVE_INFINITY,
  );
  return withList(AdminListTopicsResponseSchema, {}, topics);
}

function namesIn(request: AdminListTopicsRequest): (state: ClusterState) => Iterable<string> {
  const { name } = request;
  if (name !== undefined) {
    return () => [name];
  }
  const page = checkedPage(request.page);
  return (state) => firstOf(topicNamesAfter(state, page.after ?? null), page);
}
