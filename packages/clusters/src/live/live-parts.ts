// What a page shows of a cluster's live view: each list without what only its details need, and the details of one thing. Pure.
import type { LiveAgent, LiveClusterView, LiveGroup, LiveThroughputPoint, LiveTopic } from '../cluster/cluster-view.ts';

/** What stands above every page of a cluster, and the figures of its overview. */
export interface LiveSummary {
  clusterId: string;
  /** When the owner told it, milliseconds since the Unix epoch. */
  atMs: number;
  agents: {
    alive: number;
    gone: number;
    /** Names of those with a living agent, ascending. */
    zones: string[];
    /** Living ones that let browsers ask for records. */
    withMessageBrowser: number;
  };
  /** Where clients may begin: a living agent's address for them. */
  bootstrap: { host: string; port: number } | null;
  /** All agents of a cluster share one. */
  bucket: string | null;
  topics: number;
  partitions: number;
  groups: number;
  /** Of all groups together. */
  lagRecords: number;
  /** What producers are told; null while they may write. */
  writesRefusedReason: string | null;
}

/** An agent in a list, which may be one of a thousand. */
export interface LiveAgentRow extends Omit<LiveAgent, 'stats' | 'bucket' | 'messageBrowserUrl'> {
  /** CPU time since its start; null before its first heartbeat, like the other one. */
  cpuMs: number | null;
  residentBytes: number | null;
}

/** A topic in a list. */
export interface LiveTopicRow extends Omit<LiveTopic, 'partitions'> {
  partitions: number;
}

/** A consumer group in a list. */
export interface LiveGroupRow extends Omit<LiveGroup, 'members' | 'offsets'> {
  members: number;
  partitions: number;
}

/** By kind, what it is. */
export interface LivePartData {
  summary: LiveSummary;
  throughput: LiveThroughputPoint[];
  agents: LiveAgentRow[];
  topics: LiveTopicRow[];
  groups: LiveGroupRow[];
  /** Null: there is none of that name. */
  topic: LiveTopic | null;
  group: LiveGroup | null;
}

export type LivePartKind = keyof LivePartData;

/** One thing that a page wants to know. `name`: of the topic or group; other kinds have none. */
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
};

export function livePart<Kind extends LivePartKind>(
  view: LiveClusterView,
  { kind, name }: LivePart<Kind>,
): LivePartData[Kind] {
  return partOf[kind](view, name);
}

function summaryOf({ clusterId, atMs, agents, topics, groups, writesRefusedReason }: LiveClusterView): LiveSummary {
  const alive = agents.filter((agent) => agent.alive);
  // An agent with port 0 takes no Kafka clients: it only merges files.
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
    bucket: agents[0]?.bucket ?? null,
    topics: topics.length,
    partitions: topics.reduce((sum, topic) => sum + topic.partitions.length, 0),
    groups: groups.length,
    lagRecords: groups.reduce((sum, group) => sum + group.totalLagRecords, 0),
    writesRefusedReason,
  };
}

function toAgentRow({ stats, bucket: _bucket, messageBrowserUrl: _url, ...agent }: LiveAgent): LiveAgentRow {
  return { ...agent, cpuMs: stats?.cpuMs ?? null, residentBytes: stats?.residentBytes ?? null };
}

function toTopicRow({ partitions, ...topic }: LiveTopic): LiveTopicRow {
  return { ...topic, partitions: partitions.length };
}

function toGroupRow({ members, offsets, ...group }: LiveGroup): LiveGroupRow {
  return { ...group, members: members.length, partitions: offsets.length };
}
