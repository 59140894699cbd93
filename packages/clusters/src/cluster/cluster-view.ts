// The live state of a cluster as plain data for the dashboard, converted from the metadata service's message. Offsets,
// counts and bytes are JavaScript numbers: exact up to 2^53, which no cluster reaches.
import type {
  Agent,
  ClusterView as ClusterViewMessage,
  DescribedConsumerGroupMember,
  GroupView,
  TopicView,
} from '@penstock/metadata-protocol';
import { messageBrowserOrigin } from '@penstock/platform';
import { uuidOf } from '../metadata/uuid-of.ts';
import { assignedPartitions, type TopicPartitions } from './member-assignment.ts';

export interface AgentStatsView {
  producedBytes: number;
  producedUncompressedBytes: number;
  producedRecords: number;
  fetchedBytes: number;
  objectPuts: number;
  objectGets: number;
  openConnections: number;
  cpuMs: number;
  residentBytes: number;
  requests: number;
  requestErrors: number;
}

/** Where and how Kafka clients reach an agent. */
export interface LiveListener {
  name: string;
  host: string;
  port: number;
  isTls: boolean;
  /** By Kafka’s names, the preferred one first. */
  saslMechanisms: string[];
}

export interface LiveAgent {
  agentId: string;
  nodeId: number;
  zone: string;
  version: string;
  advertisedHost: string;
  advertisedPort: number;
  registeredAtMs: number;
  lastSeenMs: number;
  alive: boolean;
  bucket: string;
  /** The origin that browsers request records from; null unless the agent's operator has turned this on. */
  messageBrowserUrl: string | null;
  /** Empty if the agent has one listener without TLS. */
  listeners: LiveListener[];
  /** The zones of its landing buckets. Null until the agent has reported them to the present owner. */
  landingZones: string[] | null;
  stats: AgentStatsView | null;
}

export interface LivePartition {
  partition: number;
  logStartOffset: number;
  highWatermark: number;
  storedBytes: number;
}

export interface LiveTopic {
  topicId: string;
  name: string;
  createdAtMs: number;
  configs: { name: string; value: string }[];
  partitions: LivePartition[];
  /** Records that can still be read: the sum over the partitions. */
  records: number;
  storedBytes: number;
}

export interface LiveGroupOffset {
  topic: string;
  partition: number;
  committedOffset: number;
  lagRecords: number;
  /**
   * Age of the oldest unconsumed record, by its timestamp. The true lag is at least this, and usually at most an
   * agent's flush interval more. 0 if everything is consumed; null if records have no timestamps.
   */
  lagSeconds: number | null;
}

export interface LiveGroupMember {
  memberId: string;
  clientId: string;
  clientHost: string;
  groupInstanceId: string | null;
  /** The partitions that it reads. Empty while the group rebalances, and for protocols other than that of consumers. */
  assignment: TopicPartitions[];
  /** Null in classic groups. */
  memberEpoch: number | null;
  /**
   * The partitions that it will read once others have revoked them; null in classic groups and when it has all of them.
   */
  targetAssignment: TopicPartitions[] | null;
}

export interface LiveGroup {
  groupId: string;
  /** Kafka's names of the two protocols: `Classic`, `Consumer` (KIP-848). */
  type: string;
  /**
   * Kafka's names: Empty, PreparingRebalance, CompletingRebalance, Stable, Dead; of the type `Consumer` Empty,
   * Assigning, Reconciling, Stable.
   */
  state: string;
  protocolType: string;
  /** The name of the assignor. */
  protocolName: string;
  /** Changes with each member or subscription; null in classic groups. */
  groupEpoch: number | null;
  members: LiveGroupMember[];
  offsets: LiveGroupOffset[];
  totalLagRecords: number;
  /** The greatest lag of its partitions; null if none is known. */
  maxLagSeconds: number | null;
}

export interface LiveThroughputPoint {
  startMs: number;
  seconds: number;
  inBytes: number;
  inUncompressedBytes: number;
  inRecords: number;
  outBytes: number;
}

/** Agents slowed producers down to the limit of the cluster’s mode. */
export interface WriteThrottle {
  /** When an agent last reported it. */
  atMs: number;
  maxWrittenBytesPerSecond: number;
}

export interface LiveClusterView {
  clusterId: string;
  atMs: number;
  agents: LiveAgent[];
  topics: LiveTopic[];
  groups: LiveGroup[];
  throughput: LiveThroughputPoint[];
  uncompressedBytesTotal: number;
  journalSeq: number;
  /** The reason that producers receive; null while writes are allowed. */
  writesRefusedReason: string | null;
  /** Null if agents did not slow producers down because of the cluster’s mode. */
  writeThrottle: WriteThrottle | null;
  metadataMemory: MetadataMemory;
}

/** The memory that the metadata service holds for the cluster. */
export interface MetadataMemory {
  /** `organization`: all open clusters of the organization. */
  accounts: { name: string; heldBytes: number; limitBytes: number }[];
  /** The newest call that was refused for lack of room; null if none was since the owner opened the cluster. */
  refusal: { atMs: number; reason: string; calls: number } | null;
}

export function toMetadataMemory({
  memoryAccounts,
  memoryRefusal,
}: Pick<ClusterViewMessage, 'memoryAccounts' | 'memoryRefusal'>): MetadataMemory {
  return {
    accounts: memoryAccounts.map(({ name, heldBytes, limitBytes }) => ({
      name,
      heldBytes: Number(heldBytes),
      limitBytes: Number(limitBytes),
    })),
    refusal:
      memoryRefusal === undefined
        ? null
        : { atMs: Number(memoryRefusal.atMs), reason: memoryRefusal.reason, calls: Number(memoryRefusal.calls) },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** An agent of the metadata service's message as plain data. */
export function toLiveAgent(agent: Agent): LiveAgent {
  const { stats } = agent;
  return {
    agentId: agent.agentId,
    nodeId: agent.nodeId,
    zone: agent.zone,
    version: agent.version,
    advertisedHost: agent.advertisedHost,
    advertisedPort: agent.advertisedPort,
    registeredAtMs: Number(agent.registeredAtMs),
    lastSeenMs: Number(agent.lastSeenMs),
    alive: agent.alive,
    bucket: agent.bucket,
    messageBrowserUrl: messageBrowserOrigin(agent.messageBrowserUrl),
    listeners: agent.listeners.map(({ name, host, port, tls, saslMechanisms }) => ({
      name,
      host,
      port,
      isTls: tls,
      saslMechanisms,
    })),
    landingZones: agent.landing?.zones ?? null,
    stats:
      stats === undefined
        ? null
        : {
            producedBytes: Number(stats.producedBytes),
            producedUncompressedBytes: Number(stats.producedUncompressedBytes),
            producedRecords: Number(stats.producedRecords),
            fetchedBytes: Number(stats.fetchedBytes),
            objectPuts: Number(stats.objectPuts),
            objectGets: Number(stats.objectGets),
            openConnections: stats.openConnections,
            cpuMs: Number(stats.cpuMs),
            residentBytes: Number(stats.residentBytes),
            requests: Number(stats.requests),
            requestErrors: Number(stats.requestErrors),
          },
  };
}

/** @throws Error if the service left out what every view of a topic or a group has */
function described<T>(description: T | undefined, what: 'topic' | 'group'): T {
  if (description === undefined) {
    throw new Error(`The metadata service sent a view of a ${what} without its description.`);
  }
  return description;
}

/** A topic of the metadata service's message as plain data. */
export function toLiveTopic(view: TopicView): LiveTopic {
  const topic = described(view.topic, 'topic');
  const partitions = view.highWatermark.map((highWatermark, partition) => ({
    partition,
    logStartOffset: Number(view.logStartOffset[partition] ?? 0n),
    highWatermark: Number(highWatermark),
    storedBytes: Number(view.storedBytes[partition] ?? 0n),
  }));
  return {
    topicId: uuidOf(topic.topicId),
    name: topic.name,
    createdAtMs: Number(topic.createdAtMs),
    configs: topic.configs.map(({ name, value }) => ({ name, value })),
    partitions,
    records: sum(partitions.map((partition) => partition.highWatermark - partition.logStartOffset)),
    storedBytes: sum(partitions.map((partition) => partition.storedBytes)),
  };
}

/** @param nowMs by the owner's clock */
export function toLiveGroup(view: GroupView, nowMs: number): LiveGroup {
  const group = described(view.group, 'group');
  const offsets = view.offsets.map((offset, index) => {
    const lagRecords = Number(view.lagRecords[index] ?? 0n);
    return {
      topic: offset.topic,
      partition: offset.partition,
      committedOffset: Number(offset.offset),
      lagRecords,
      lagSeconds: lagSecondsOf(lagRecords, Number(view.firstUnreadMaxTimestampMs[index] ?? -1n), nowMs),
    };
  });
  const known = offsets.flatMap(({ lagSeconds }) => lagSeconds ?? []);
  const { protocolType } = group;
  const consumers = new Map(view.consumerGroup?.members.map((member) => [member.memberId, member]));
  return {
    groupId: group.groupId,
    type: group.groupType,
    state: group.state,
    protocolType,
    protocolName: group.protocolName,
    groupEpoch: view.consumerGroup?.groupEpoch ?? null,
    members: group.members.map((member) => {
      const consumer = consumers.get(member.memberId);
      const assignment = assignedPartitions(protocolType, member.assignment);
      return {
        memberId: member.memberId,
        clientId: member.clientId,
        clientHost: member.clientHost,
        groupInstanceId: member.groupInstanceId ?? null,
        assignment,
        memberEpoch: consumer?.memberEpoch ?? null,
        targetAssignment: consumer === undefined ? null : targetOf(consumer, assignment),
      };
    }),
    offsets,
    totalLagRecords: sum(offsets.map((offset) => offset.lagRecords)),
    maxLagSeconds: known.length === 0 ? null : known.reduce((most, own) => Math.max(most, own)),
  };
}

/** The target assignment of a member; null when it has exactly that. */
function targetOf(
  { targetAssignment }: DescribedConsumerGroupMember,
  assignment: readonly TopicPartitions[],
): TopicPartitions[] | null {
  const target = targetAssignment
    .filter(({ topicName, partitions }) => topicName !== '' && partitions.length > 0)
    .map(({ topicName, partitions }) => ({
      topic: topicName,
      partitions: partitions.toSorted((one, two) => one - two),
    }))
    .sort((one, two) => one.topic.localeCompare(two.topic));
  return JSON.stringify(target) === JSON.stringify(assignment) ? null : target;
}

/** A timestamp ahead of our clock gives no age. */
function lagSecondsOf(lagRecords: number, timestampMs: number, nowMs: number): number | null {
  if (lagRecords === 0) {
    return 0;
  }
  return timestampMs < 0 ? null : Math.max(0, nowMs - timestampMs) / 1_000;
}

/** Converts the metadata service's message to plain data. */
export function toLiveClusterView(message: ClusterViewMessage): LiveClusterView {
  return {
    clusterId: message.clusterId,
    atMs: Number(message.atMs),
    agents: message.agents.map(toLiveAgent),
    topics: message.topics.map(toLiveTopic),
    groups: message.groups.map((group) => toLiveGroup(group, Number(message.atMs))),
    throughput: message.throughput.map((point) => ({
      startMs: Number(point.startMs),
      seconds: point.seconds,
      inBytes: Number(point.inBytes),
      inUncompressedBytes: Number(point.inUncompressedBytes),
      inRecords: Number(point.inRecords),
      outBytes: Number(point.outBytes),
    })),
    uncompressedBytesTotal: Number(message.uncompressedBytesTotal),
    journalSeq: Number(message.journalSeq),
    writesRefusedReason: message.writesRefusedReason ?? null,
    metadataMemory: toMetadataMemory(message),
    writeThrottle:
      message.writeThrottle === undefined
        ? null
        : {
            atMs: Number(message.writeThrottle.atMs),
            maxWrittenBytesPerSecond: Number(message.writeThrottle.maxWrittenBytesPerSecond),
          },
  };
}
