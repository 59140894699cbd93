// The data model: snapshots, the history kept between two checks, and findings. All of it is plain data; the history is
// stored as JSON.
import type { AgentDiagnosis, Sample } from '@penstock/telemetry';
import type { RuleId } from './rules/catalogue.ts';

export interface AgentFacts {
  agentId: string;
  /** Kafka's broker id. Unique within the cluster, never reused. */
  nodeId: number;
  /** Empty if the agent has no zone configured. */
  zone: string;
  version: string;
  isAlive: boolean;
  /** Dead without having shut down cleanly. */
  isLost: boolean;
  /** The address for its clients; empty if unknown. */
  address: string;
  /** Absent until the agent has reported to the present owner. */
  hasLandingBuckets?: boolean;
}

export interface GroupFacts {
  groupId: string;
  members: number;
  /** Total lag of all partitions. */
  lagRecords: number;
}

/** The newest commit that the metadata service refused because its uncompressed sizes cannot be true. */
export interface MeteringRefusal {
  atMs: number;
  /** Empty if the commit named no agent. */
  agentId: string;
  /** How many were refused since the owner of the cluster started. */
  commits: number;
}

/** The newest completion of a job that the metadata service refused because no job ordered it. */
export interface JobRefusal {
  atMs: number;
  /** Name of the agent key that sent it; its id if the key is gone. */
  key: string;
  /** Empty if it named no agent of the cluster. */
  agentId: string;
  reason: string;
  /** How many were refused since the owner of the cluster started. */
  completions: number;
}

/** The memory that the metadata service holds for the cluster, with its limits. */
export interface MetadataMemory {
  accounts: readonly MemoryAccount[];
  /** The newest call that was refused for lack of room; null if there was none. */
  refusal: MemoryRefusal | null;
}

export interface MemoryAccount {
  /** In the metadata service's words: groups, offsets, transactions, topics, producers, organization. */
  name: string;
  heldBytes: number;
  limitBytes: number;
}

export interface MemoryRefusal {
  atMs: number;
  reason: string;
  /** How many were refused since the owner of the cluster started. */
  calls: number;
}

/** An agent's report for one window of ten seconds. */
export interface AgentWindow {
  agentId: string;
  /** The slot that covers most of it, milliseconds since the Unix epoch. */
  slotMs: number;
  sample: Sample;
  /** Its latest self-diagnosis; null if it contains no problem, or was never reported. */
  diagnosis: AgentDiagnosis | null;
}

/** The state of a cluster at one check. */
export interface Snapshot {
  atMs: number;
  /** Null if the metadata service did not answer for this cluster. */
  state: {
    agents: readonly AgentFacts[];
    groups: readonly GroupFacts[];
    /** Absent if no commit was refused for sizes that cannot be true. */
    meteringRefusal?: MeteringRefusal;
    /** Absent if no completion of a job was refused. */
    jobRefusal?: JobRefusal;
    /** Absent if the metadata service did not report it. */
    memory?: MetadataMemory;
  } | null;
  /** The metadata service has stopped the cluster until an operator resumes it. */
  isStopped?: boolean;
  /** Why, if an invariant of its state is broken. Absent or null: acknowledged entries are missing. */
  fault?: StateFault | null;
  /** The cluster is in low-latency mode. */
  isLowLatency?: boolean;
  /** Hours whose usage is held for review; absent: none. */
  heldHours?: number;
  /** The two newest windows of each agent, in any order. */
  windows: readonly AgentWindow[];
}

/** Where an invariant of a cluster's state was found broken. */
export interface StateFault {
  /** The entry of the journal. */
  seq: number;
  /** The kind of the command, and its SHA-256 in hexadecimal digits; empty without one. */
  command: string;
  sha256: string;
}

/** `critical`: records are not accepted or not served. `warning`: they are, but someone should investigate. */
export type Severity = 'warning' | 'critical';

/** The subject of a finding; the whole cluster if empty. */
export interface Subject {
  agentId?: string;
  zone?: string;
  group?: string;
}

export interface Finding {
  /** Rule and subject: two findings with the same key are the same problem. */
  key: string;
  rule: RuleId;
  severity: Severity;
  subject: Subject;
  /** When the problem was first seen, before it had lasted long enough to be raised. */
  sinceMs: number;
  /** A sentence with the figures of the latest check. */
  cause: string;
}

/** `waiting`: the cluster never had an agent. */
export type Level = 'waiting' | 'healthy' | 'degraded' | 'critical';

/** A problem that a check has seen, raised or not yet. */
export interface Condition {
  finding: Finding;
  isOpen: boolean;
  /** When it was first no longer seen; null while it is seen. */
  goodSinceMs: number | null;
}

export interface GroupMemory {
  /** When it last had members; null if it had none at any check. */
  withMembersAtMs: number | null;
  /** Its lag at that time. */
  lagWithMembers: number;
  /** The current minute, in minutes since the Unix epoch, and the least lag within it. */
  minute: number;
  leastLag: number;
  /** The least lag of each of the last complete minutes, oldest first. */
  leastLags: readonly number[];
}

/** The history of a latency: one value per minute, oldest first. */
export interface UsualLatency {
  minute: number;
  p95s_ms: readonly number[];
}

export interface History {
  version: 1;
  level: Level;
  levelSinceMs: number;
  /** When an agent was last alive; null if there never was one. */
  aliveAtMs: number | null;
  /** The agents that were alive at the last check, by broker id, ascending. */
  aliveNodeIds: readonly number[];
  /** Agents that were seen before and are dead, as long as the metadata service lists them. */
  goneNodeIds?: readonly number[];
  /** When each zone last had a live agent. Pairs, since a zone can have any name, that of a property of objects included. */
  zones: readonly (readonly [zone: string, atMs: number])[];
  /** The groups, by group id. */
  groups: readonly (readonly [groupId: string, memory: GroupMemory])[];
  put: UsualLatency;
  commit: UsualLatency;
  conditions: readonly Condition[];
}

/** An event other than a raised or resolved finding. */
export interface Occurrence {
  type: 'agent.joined' | 'agent.back' | 'agent.left' | 'agent.lost' | 'agents.changed';
  agent: AgentFacts | null;
  /** For an agent that joined: the previous agent at its address. */
  replaced?: AgentFacts;
  text: string;
}

export interface Verdict {
  level: Level;
  sinceMs: number;
  /** Open findings, most severe first, then oldest first. */
  findings: readonly Finding[];
}

export interface Assessment {
  verdict: Verdict;
  raised: readonly Finding[];
  resolved: readonly Finding[];
  occurrences: readonly Occurrence[];
  history: History;
  /**
   * `notify`: something visible to users has changed. `memory`: only the history has changed, and should be saved.
   * `none`: at most figures of the current minute have changed.
   */
  change: 'notify' | 'memory' | 'none';
}
