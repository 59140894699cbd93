// The parts of a cluster's live view that pages request: lists without the details of their rows, and the details of
// one object. Pure.
import { MINUTE_MS } from '@penstock/units';
import type {
  LiveAgent,
  LiveClusterView,
  LiveGroup,
  LiveListener,
  LiveThroughputPoint,
  LiveTopic,
  WriteThrottle,
} from '../cluster/cluster-view.ts';

/** The header of every page of a cluster, and the figures of its overview. */
export interface LiveSummary {
  clusterId: string;
  /** When the owner sent it, milliseconds since the Unix epoch. */
  atMs: number;
  agents: {
    alive: number;
    gone: number;
    /** Names of the zones with a live agent, ascending. */
    zones: string[];
    /** Live agents that let browsers request records. */
    withMessageBrowser: number;
  };
  /** A bootstrap address for clients: that of a live agent. */
  bootstrap: { host: string; port: number } | null;
  /** The listeners of the same agent. Empty if it has one without TLS. */
  listeners: LiveListener[];
  /** All agents of a cluster share one. */
  bucket: string | null;
  topics: number;
  partitions: number;
  groups: number;
  /** Summed over all groups. */
  lagRecords: number;
  /** The reason that producers receive; null while writes are allowed. */
  writesRefusedReason: string | null;
  /** Null if agents did not slow producers down lately because of the cluster’s mode. */
  writeThrottle: WriteThrottle | null;
  /** The memory that the metadata service holds for the cluster. */
  metadataMemory: LiveClusterView['metadataMemory'];
}

/** For how long a throttle is shown after agents last reported it: longer than the time between two heartbeats. */
const THROTTLE_SHOWN_MS = MINUTE_MS;

/** An agent's row in a list of up to a thousand. */
export interface LiveAgentRow extends Omit<LiveAgent, 'stats' | 'bucket' | 'messageBrowserUrl' | 'listeners'> {
  /** CPU time since its start. Both are null before its first heartbeat. */
  cpuMs: number | null;
  residentBytes: number | null;
}

/** A topic's row in a list. */
export interface LiveTopicRow extends Omit<LiveTopic, 'partitions'> {
  partitions: number;
}

/** A consumer group's row in a list. */
export interface LiveGroupRow extends Omit<LiveGroup, 'members' | 'offsets'> {
  members: number;
  partitions: number;
}

/** A group that reads a topic: it has members or committed offsets on it. */
export interface LiveTopicConsumer {
  groupId: string;
  type: string;
  state: string;
  /** Members that read a partition of the topic. */
  members: number;
  /** Partitions of the topic with a committed offset. */
  partitions: number;
  /** Both over the partitions of this topic. */
  lagRecords: number;
  lagSeconds: number | null;
}

/** The data of each kind of part. */
export interface LivePartData {
  summary: LiveSummary;
  throughput: LiveThroughputPoint[];
  agents: LiveAgentRow[];
  topics: LiveTopicRow[];
  groups: LiveGroupRow[];
  /** Null if there is none with that name. */
  topic: LiveTopic | null;
  group: LiveGroup | null;
  /** Consumers of the topic with that name; the furthest behind first. */
  consumers: LiveTopicConsumer[];
}

export type LivePartKind = keyof LivePartData;

/** One part that a page requests. `name` is the topic or group; other kinds have none. */
export interface LivePart<Kind extends LivePartKind = LivePartKind> {
  kind: Kind;
  name?: string | undefined;
}

const partOf: { [Kind in LivePartKind]: (view: LiveClusterView, name: string | undefined) => LivePartData[Kind] } = {
  summary: summaryOf,
  throughput: ({ throughput }) => throughput,
  agents: ({ agents }) => agents.map(toAgentRow),
  topics: ({ topics }) => topics.map(toTopicRow),
  groups: ({ groups }) => groups.map(toGroupRow),
  topic: ({ topics }, name) => topics.find((topic) => topic.name === name) ?? null,
  group: ({ groups }, name) => groups.find(({ groupId }) => groupId === name) ?? null,
  consumers: ({ groups }, name) =>
    groups
      .flatMap((group) => toTopicConsumer(group, name) ?? [])
      .sort((left, right) => right.lagRecords - left.lagRecords || left.groupId.localeCompare(right.groupId)),
};

export function livePart<Kind extends LivePartKind>(
  view: LiveClusterView,
  { kind, name }: LivePart<Kind>,
): LivePartData[Kind] {
  return partOf[kind](view, name);
}

function summaryOf({
  clusterId,
  atMs,
  agents,
  topics,
  groups,
  writesRefusedReason,
  writeThrottle,
  metadataMemory,
}: LiveClusterView): LiveSummary {
  const alive = agents.filter((agent) => agent.alive);
  // An agent with port 0 accepts no Kafka clients: it only merges files.
  const first = alive.find(({ advertisedPort }) => advertisedPort !== 0);
  const zones = new Set(alive.map(({ zone }) => zone).filter((zone) => zone !== ''));
  return {
    clusterId,
    atMs,
    agents: {
      alive: alive.length,
      gone: agents.length - alive.length,
      zones: [...zones].sort(),
      withMessageBrowser: alive.filter(({ messageBrowserUrl }) => messageBrowserUrl !== null).length,
    },
    bootstrap: first === undefined ? null : { host: first.advertisedHost, port: first.advertisedPort },
    listeners: first?.listeners ?? [],
    bucket: agents[0]?.bucket ?? null,
    topics: topics.length,
    partitions: topics.reduce((sum, topic) => sum + topic.partitions.length, 0),
    groups: groups.length,
    lagRecords: groups.reduce((sum, group) => sum + group.totalLagRecords, 0),
    writesRefusedReason,
    writeThrottle: writeThrottle !== null && atMs - writeThrottle.atMs < THROTTLE_SHOWN_MS ? writeThrottle : null,
    metadataMemory,
  };
}

function toAgentRow({
  stats,
  bucket: _bucket,
  messageBrowserUrl: _url,
  listeners: _listeners,
  ...agent
}: LiveAgent): LiveAgentRow {
  return { ...agent, cpuMs: stats?.cpuMs ?? null, residentBytes: stats?.residentBytes ?? null };
}

function toTopicRow({ partitions, ...topic }: LiveTopic): LiveTopicRow {
  return { ...topic, partitions: partitions.length };
}

function toGroupRow({ members, offsets, ...group }: LiveGroup): LiveGroupRow {
  return { ...group, members: members.length, partitions: offsets.length };
}

/** Null for a group that has nothing to do with the topic. */
function toTopicConsumer(
  { groupId, type, state, members, offsets }: LiveGroup,
  topic: string | undefined,
): LiveTopicConsumer | null {
  const reading = members.filter(({ assignment }) => assignment.some((own) => own.topic === topic));
  const committed = offsets.filter((offset) => offset.topic === topic);
  if (reading.length === 0 && committed.length === 0) {
    return null;
  }
  const ages = committed.flatMap(({ lagSeconds }) => lagSeconds ?? []);
  return {
    groupId,
    type,
    state,
    members: reading.length,
    partitions: committed.length,
    lagRecords: committed.reduce((sum, { lagRecords }) => sum + lagRecords, 0),
    lagSeconds: ages.length === 0 ? null : ages.reduce((most, own) => Math.max(most, own)),
  };
}
