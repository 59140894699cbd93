// Topics, agents and settings as messages.
import {
  type ClusterMode,
  type ClusterSettings,
  limits,
  type RegisteredAgent,
  type RulesVersion,
  type TopicDescription,
  type TopicResult,
} from '@penstock/metadata-core';
import { type AgentStats, ClusterMode as ModeMessage } from '@penstock/metadata-protocol';
import type { ListenerAddress } from '../../owners/agent-presence.ts';

export function topicMessage(topic: TopicDescription) {
  return {
    topicId: topic.topicId,
    name: topic.name,
    partitions: topic.partitions,
    configs: topic.configs,
    createdAtMs: BigInt(topic.createdAtMs),
  };
}

export function topicResultMessage(result: TopicResult) {
  return {
    name: result.name,
    ...(result.topicId === null ? {} : { topicId: result.topicId }),
    errorCode: result.errorCode,
    errorMessage: result.errorMessage,
    ...(result.topic === null ? {} : { topic: topicMessage(result.topic) }),
  };
}

const MODES: Readonly<Record<ClusterMode, ModeMessage>> = {
  standard: ModeMessage.STANDARD,
  dev: ModeMessage.DEV,
  'low-latency': ModeMessage.LOW_LATENCY,
};

/** Maximum total write rate of all agents in bytes per second; 0 for no limit. */
export function writtenLimitOf({ mode }: Pick<ClusterSettings, 'mode'>): number {
  return mode === 'dev' ? limits.MAX_WRITTEN_BYTES_PER_SECOND_OF_DEV_CLUSTER : 0;
}

export function settingsMessage(settings: ClusterSettings, rulesLevel: RulesVersion) {
  return {
    autoCreateTopics: settings.autoCreateTopics,
    defaultPartitions: settings.defaultPartitions,
    writesRefused: settings.writesRefused,
    writesRefusedReason: settings.writesRefusedReason,
    offsetsRetentionMinutes: settings.offsetsRetentionMinutes,
    clientMetrics: [...settings.clientMetrics]
      .map(([name, configs]) => ({ name, configs: Array.from(configs, ([key, value]) => ({ name: key, value })) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    mode: MODES[settings.mode],
    maxUncompressedBatchBytes: BigInt(settings.maxUncompressedBatchBytes),
    maxWrittenBytesPerSecond: BigInt(writtenLimitOf(settings)),
    rulesLevel,
  };
}

/** Facts about an agent that only the owner knows; they are not journaled. */
export interface AgentPresence {
  lastSeenMs: number;
  stats: AgentStats | undefined;
  messageBrowserUrl: string;
  listeners: readonly ListenerAddress[];
  landingZones: readonly string[] | undefined;
}

export function agentMessage(agent: RegisteredAgent, presence?: AgentPresence) {
  return {
    agentId: agent.agentId,
    nodeId: agent.nodeId,
    zone: agent.zone,
    version: agent.version,
    advertisedHost: agent.advertisedHost,
    advertisedPort: agent.advertisedPort,
    registeredAtMs: BigInt(agent.registeredAtMs),
    lastSeenMs: BigInt(presence?.lastSeenMs ?? agent.leftAtMs ?? agent.registeredAtMs),
    ...(presence?.stats === undefined ? {} : { stats: presence.stats }),
    alive: agent.leftAtMs === null,
    // An agent that deregistered has no presence any more; one that was given up still has.
    lost: agent.leftAtMs !== null && presence !== undefined,
    bucket: agent.bucket,
    messageBrowserUrl: presence?.messageBrowserUrl ?? '',
    listeners: (presence?.listeners ?? []).map((listener) => ({
      ...listener,
      saslMechanisms: [...listener.saslMechanisms],
    })),
    ...(presence?.landingZones === undefined ? {} : { landing: { zones: [...presence.landingZones] } }),
  };
}
