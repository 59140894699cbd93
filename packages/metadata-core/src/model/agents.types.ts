// The types of commands about agents, settings and the meter's minutes.
import type { RulesVersion } from './rules.ts';
import type { ClusterSettings, EarlySettings } from './settings.ts';

/** An agent started. The same `agentId` again is the same registration and keeps its node id. */
export interface RegisterAgent {
  kind: 'register-agent';
  agentId: string;
  zone: string;
  version: string;
  advertisedHost: string;
  advertisedPort: number;
  /** Bucket URL without credentials. All agents of a cluster must agree on it, and the first committed file fixes it. */
  bucket: string;
  /** The agent key that it uses. */
  keyId: string;
}
export type RegisterAgentAnswer =
  | { refused: null; nodeId: number; settings: ClusterSettings }
  /** `message` is for the operator: what is wrong, and what to do. */
  | { refused: 'bucket-mismatch' | 'too-many-agents' | 'invalid-agent' | 'other-key'; message: string };

/** An agent left, or the owner gave it up. It is remembered for an hour; if it returns it keeps its node id. */
export interface AgentLeft {
  kind: 'agent-left';
  agentId: string;
}
export interface AgentLeftAnswer {
  /** False when it was not registered or had already left. */
  left: boolean;
}

/** Sent once per minute in which at least one agent was alive. The billing meter counts these as cluster-minutes. */
export interface MinuteMark {
  kind: 'minute-mark';
  /** Whole minutes since the Unix epoch. A minute that is not after the last marked one changes nothing. */
  minute: number;
  aliveAgentIds: string[];
}
export interface MinuteMarkAnswer {
  counted: boolean;
}

/** Later times than the current one came from a clock that was ahead, and must not delay anything. */
export interface SetClockBack {
  kind: 'set-clock-back';
  /** The latest time in the history. */
  fromMs: number;
}
export type SetClockBackAnswer = Record<never, never>;

/** Absent settings are unchanged. */
export interface UpdateSettings {
  kind: 'update-settings';
  settings: Partial<EarlySettings>;
}
export interface UpdateSettingsAnswer {
  errorCode: number;
  errorMessage: string;
  settings: ClusterSettings;
}

/** How long committed offsets are kept without use. */
export interface SetOffsetsRetention {
  kind: 'set-offsets-retention';
  minutes: number;
}

/** Sets the maximum decompressed size of batches in topics without max.uncompressed.batch.bytes. */
export interface SetMaxUncompressedBatchBytes {
  kind: 'set-max-uncompressed-batch-bytes';
  bytes: number;
}

/** The first command of the entry that opens the cluster. */
export interface RaiseRulesLevel {
  kind: 'raise-rules-level';
  level: RulesVersion;
}
export interface RaiseRulesLevelAnswer {
  /** The cluster's level now. */
  level: RulesVersion;
}
