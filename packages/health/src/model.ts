// What is judged, what is remembered between two looks, and what is found. All of it is plain data; the history is stored as JSON.
import type { AgentDiagnosis, Sample } from '@penstock/telemetry';
import type { RuleId } from './rules/catalogue.ts';

export interface AgentFacts {
  agentId: string;
  /** Kafka's broker id: unique within the cluster, never used again. */
  nodeId: number;
  /** Empty when the agent was not told. */
  zone: string;
  version: string;
  isAlive: boolean;
  /** Not alive, without having taken its leave. */
  isLost: boolean;
  /** Where its clients reach it; empty when it is not known. */
  address: string;
}

export interface GroupFacts {
  groupId: string;
  members: number;
  /** Over all partitions. */
  lagRecords: number;
}

/** What an agent reported of one stretch of ten seconds. */
export interface AgentWindow {
  agentId: string;
  /** The slot that holds most of it, milliseconds since the Unix epoch. */
  slotMs: number;
  sample: Sample;
  /** What it found out about itself last; null when nothing in it is wrong, or nothing was told. */
  diagnosis: AgentDiagnosis | null;
}

/** One look at a cluster. */
export interface Snapshot {
  atMs: number;
  /** Null: the metadata service did not answer for this cluster. */
  state: { agents: readonly AgentFacts[]; groups: readonly GroupFacts[] } | null;
  /** The metadata service has stopped the cluster until an operator resumes it. */
  isStopped?: boolean;
  /** Of each agent its two newest windows, in any order. */
  windows: readonly AgentWindow[];
}

/** `critical`: records are not taken or not served. `warning`: they are, but somebody should look. */
export type Severity = 'warning' | 'critical';

/** What a finding is about; the cluster as a whole when nothing is named. */
export interface Subject {
  agentId?: string;
  zone?: string;
  group?: string;
}

export interface Finding {
  /** Rule and subject: two findings with one key are the same trouble. */
  key: string;
  rule: RuleId;
  severity: Severity;
  subject: Subject;
  /** When the trouble was first seen, before it had lasted long enough to be told. */
  sinceMs: number;
  /** In words, with the figures of the newest look. */
  cause: string;
}

/** `waiting`: no agent was ever there. */
export type Level = 'waiting' | 'healthy' | 'degraded' | 'critical';

/** A trouble that a look has seen: told already, or not yet. */
export interface Condition {
  finding: Finding;
  isOpen: boolean;
  /** Since when it has not been seen any more; null while it is seen. */
  goodSinceMs: number | null;
}

export interface GroupMemory {
  /** When it last had members; null when it never had while we looked. */
  withMembersAtMs: number | null;
  /** Its lag at that moment. */
  lagWithMembers: number;
  /** The running minute, in minutes since the Unix epoch, and the least lag within it. */
  minute: number;
  leastLag: number;
  /** The least lag of each of the last complete minutes, oldest first. */
  leastLags: readonly number[];
}

/** What is remembered of a latency: one value per minute, oldest first. */
export interface UsualLatency {
  minute: number;
  p95s_ms: readonly number[];
}

export interface History {
  version: 1;
  level: Level;
  levelSinceMs: number;
  /** When an agent was last alive; null when none ever was. */
  aliveAtMs: number | null;
  /** The agents that were alive at the last look, by broker id, ascending. */
  aliveNodeIds: readonly number[];
  /** Agents that were seen before and are not alive, as long as the metadata service knows them. */
  goneNodeIds?: readonly number[];
  /** When each zone last had a living agent. */
  zones: Readonly<Record<string, number>>;
  groups: Readonly<Record<string, GroupMemory>>;
  put: UsualLatency;
  commit: UsualLatency;
  conditions: readonly Condition[];
}

/** Something that happened, beside findings that are raised and resolved. */
export interface Occurrence {
  type: 'agent.joined' | 'agent.back' | 'agent.left' | 'agent.lost' | 'agents.changed';
  agent: AgentFacts | null;
  /** For an agent that joined: the one that ran at its address before. */
  replaced?: AgentFacts;
  text: string;
}

export interface Verdict {
  level: Level;
  sinceMs: number;
  /** Open findings, the worst first, then the oldest. */
  findings: readonly Finding[];
}

export interface Assessment {
  verdict: Verdict;
  raised: readonly Finding[];
  resolved: readonly Finding[];
  occurrences: readonly Occurrence[];
  history: History;
  /**
   * `notify`: something that people see has changed. `memory`: only what is remembered, and a restart should not lose it.
   * `none`: figures of the running minute moved at most.
   */
  change: 'notify' | 'memory' | 'none';
}
