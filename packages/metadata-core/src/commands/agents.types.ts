// Commands about agents, the cluster's settings and the billing meter's minutes.
import type { RulesVersion } from '../rules.ts';
import type { ClusterSettings } from '../state/settings.ts';

/** An agent started. The same `agentId` again is the same registration and keeps its node id. */
export interface RegisterAgent {
  kind: 'register-agent';
  agentId: string;
  zone: string;
  version: string;
  advertisedHost: string;
  advertisedPort: number;
  /** Bucket URL without credentials. All agents of a cluster must agree, and it is fixed by the first committed file. */
  bucket: string;
}
export type RegisterAgentAnswer =
  | { refused: null; nodeId: number; settings: ClusterSettings }
  /** `message` is for the operator: what is wrong and what to do. */
  | { refused: 'bucket-mismatch' | 'too-many-agents' | 'invalid-agent'; message: string };

/** An agent left or was given up by the owner. It is remembered for an hour; if it comes back it keeps its node id. */
export interface AgentLeft {
  kind: 'agent-left';
  agentId: string;
}
export interface AgentLeftAnswer {
  /** False when it was not registered or had left before. */
  left: boolean;
}

/** Once per minute in which at least one agent was alive: the billing meter counts cluster-minutes from these. */
export interface MinuteMark {
  kind: 'minute-mark';
  /** Whole minutes since the Unix epoch. A minute not later than the last one marked changes nothing. */
  minute: number;
  aliveAgentIds: string[];
}
export interface MinuteMarkAnswer {
  counted: boolean;
}

/** Times after the present one were given by a clock that was ahead: nothing waits for them. */
export interface SetClockBack {
  kind: 'set-clock-back';
  /** The latest time that the history had come to. */
  fromMs: number;
}
export type SetClockBackAnswer = Record<never, never>;

/** Settings that are absent stay as they are. */
export interface UpdateSettings {
  kind: 'update-settings';
  settings: Partial<ClusterSettings>;
}
export interface UpdateSettingsAnswer {
  errorCode: number;
  errorMessage: string;
  settings: ClusterSettings;
}

/** The operator has decided that no older release will open this cluster any more. The first command of its entry. */
export interface RaiseRulesLevel {
  kind: 'raise-rules-level';
  level: RulesVersion;
}
export interface RaiseRulesLevelAnswer {
  /** The level that the cluster has now. */
  level: RulesVersion;
}
