// The state of one virtual cluster, as the dashboard shows it.
import { type ClusterState, clusterTotals, registeredAgents } from '@penstock/metadata-core';
import { ClusterViewSchema, GroupViewSchema, TopicViewSchema } from '@penstock/metadata-protocol';
import type { Owner } from '../../owners/owner.ts';
import { POINT_SECONDS } from '../../owners/throughput-ring.ts';
import { nextRound } from '../answer-in-steps.ts';
import { allTopicIds } from '../describe-cluster.ts';
import { encodeInSteps, withList } from '../long-list.ts';
import { agentMessage, writtenLimitOf } from './catalogue.ts';
import { groupViewParts } from './group-view.ts';
import { topicViewParts } from './topic-view.ts';

const TOPICS = { entry: TopicViewSchema, fieldNumber: ClusterViewSchema.field.topics.number };
const GROUPS = { entry: GroupViewSchema, fieldNumber: ClusterViewSchema.field.groups.number };

/** The owner's current view, of durable state only. It is made in steps: its parts may be of different moments. */
export async function clusterViewMessage(owner: Owner) {
  const answering = { owner, turn: nextRound };
  const unbounded = Number.POSITIVE_INFINITY;
  const topics = await encodeInSteps(answering, TOPICS, await allTopicIds(owner), topicViewParts, unbounded);
  const groupIds = await owner.read((state) => [...state.groups.keys()]);
  const groups = await encodeInSteps(answering, GROUPS, groupIds, groupViewParts, unbounded);
  return await owner.read((state) =>
    withList(ClusterViewSchema, withList(ClusterViewSchema, restOfView(owner, state), topics), groups),
  );
}

function restOfView(owner: Owner, state: ClusterState) {
  const nowMs = owner.nowMs();
  const throttledAtMs = owner.agents.presences.writesThrottledAtMs;
  const maxWrittenBytesPerSecond = writtenLimitOf(state.settings);
  const { newest: refusal, count: refusedCommits } = owner.meteringRefusals;
  const { newest: full, count: refusedCalls } = owner.memoryRefusals;
  const { newest: unordered, count: completions } = owner.jobRefusals;
  return {
    clusterId: owner.cluster.clusterId,
    atMs: BigInt(nowMs),
    agents: registeredAgents(state).map((agent) => agentMessage(agent, owner.agents.presences.get(agent.agentId))),
    throughput: owner.agents.throughput.points(nowMs).map((point) => ({
      startMs: BigInt(point.startMs),
      seconds: POINT_SECONDS,
      inBytes: BigInt(point.inBytes),
      inUncompressedBytes: BigInt(point.inUncompressedBytes),
      inRecords: BigInt(point.inRecords),
      outBytes: BigInt(point.outBytes),
    })),
    uncompressedBytesTotal: clusterTotals(state).uncompressedBytes,
    journalSeq: BigInt(owner.journalSeq),
    ...(state.settings.writesRefused ? { writesRefusedReason: state.settings.writesRefusedReason } : {}),
    ...(throttledAtMs === undefined || maxWrittenBytesPerSecond === 0
      ? {}
      : {
          writeThrottle: {
            atMs: BigInt(throttledAtMs),
            maxWrittenBytesPerSecond: BigInt(maxWrittenBytesPerSecond),
          },
        }),
    memoryAccounts: owner.memoryAccounts().map(({ name, heldBytes, limitBytes }) => ({
      name,
      heldBytes: BigInt(heldBytes),
      limitBytes: BigInt(Math.floor(limitBytes)),
    })),
    ...(full === undefined
      ? {}
      : { memoryRefusal: { atMs: BigInt(full.atMs), reason: full.reason, calls: BigInt(refusedCalls) } }),
    ...(unordered === undefined
      ? {}
      : { jobRefusal: { ...unordered, atMs: BigInt(unordered.atMs), completions: BigInt(completions) } }),
    ...(refusal === undefined
      ? {}
      : { meteringRefusal: { ...refusal, atMs: BigInt(refusal.atMs), commits: BigInt(refusedCommits) } }),
  };
}
