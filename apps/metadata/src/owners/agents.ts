// The agents of one cluster: their registration, what they report, whether they are alive, and what they serve.
import { type AnswerByKind, type ClusterState, type CommandOf, registeredAgents } from '@penstock/metadata-core';
import type { AgentStats } from '@penstock/metadata-protocol';
import { every } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import type { AgentPresences, AgentReport } from './agent-presence.ts';
import type { CallerLog } from './caller-log.ts';
import type { Clock } from './clock.ts';
import type { Committer } from './committer.ts';
import { ThroughputRing } from './throughput-ring.ts';
import type { Watches } from './watches.ts';

const LIVENESS_INTERVAL_MS = 500;

export interface AgentsOptions {
  state: ClusterState;
  presences: AgentPresences;
  committer: Committer;
  watches: Watches;
  clock: Clock;
  callerLog: CallerLog;
}

export class Agents {
  readonly presences: AgentPresences;
  readonly throughput = new ThroughputRing();
  readonly #state: ClusterState;
  readonly #committer: Committer;
  readonly #watches: Watches;
  readonly #clock: Clock;
  readonly #callerLog: CallerLog;
  readonly #stopChecks: () => void;
  #heartbeats = 0;

  constructor({ state, presences, committer, watches, clock, callerLog }: AgentsOptions) {
    this.#state = state;
    this.presences = presences;
    this.#committer = committer;
    this.#watches = watches;
    this.#clock = clock;
    this.#callerLog = callerLog;
    this.#stopChecks = every(LIVENESS_INTERVAL_MS, () => this.#check(), { timers: clock });
  }

  /** How many heartbeats it has recorded: each may change what the dashboard shows. */
  get heartbeats(): number {
    return this.#heartbeats;
  }

  /** After an opening, every registered agent gets a new grace period. */
  resume(): void {
    for (const agent of this.#state.agents.values()) {
      if (agent.leftAtMs === null) {
        this.presences.welcome(agent.agentId, agent.keyId);
      }
    }
  }

  stop(): void {
    this.#stopChecks();
  }

  /** Registers an agent. Its presence begins with the registration, so that no check of the agents takes it for gone before the answer. */
  async register(command: CommandOf<'register-agent'>): Promise<AnswerByKind['register-agent']> {
    const { answer } = this.#committer.apply(command);
    if (answer.refused === null) {
      this.presences.welcome(command.agentId, command.keyId);
    }
    return await this.#committer.afterDurable(answer);
  }

  /** Records an agent's heartbeat and counters. */
  heartbeat(agentId: string, stats: AgentStats | undefined): void {
    const outBytes = this.presences.heartbeat(agentId, stats);
    this.throughput.add(this.#clock.nowMs(), { outBytes });
    this.#heartbeats += 1;
  }

  /** Records what an agent says of itself, and tells the others what they have to know. Not journaled: a new owner hears it again. */
  report(agentId: string, report: AgentReport): void {
    const wasNotReady = this.presences.isNotReady(agentId);
    if (!this.presences.report(agentId, report)) {
      return;
    }
    if (wasNotReady !== this.presences.isNotReady(agentId)) {
      const { notReady } = report;
      this.#callerLog.write(
        typeof notReady === 'string' ? { agentId, notReady } : { agentId },
        'an agent changed its readiness',
      );
    }
    this.#watches.publishAgents();
  }

  /** Whether a call with this key can be from the agent, by its presence and by its registration. */
  isOf(agentId: string, keyId: string): boolean {
    const registered = this.#state.agents.get(agentId)?.keyId ?? keyId;
    return registered === keyId && this.presences.isOf(agentId, keyId);
  }

  /** The id of an agent as a caller named it; empty if there is none. The caller chooses the text, so nothing else passes. */
  known(named: string): string {
    return registeredAgents(this.#state).some(({ agentId }) => agentId === named) ? named : '';
  }

  #check(): void {
    this.#watches.closeStuck();
    this.presences.keepOnly(this.#state.agents);
    const alive: string[] = [];
    for (const agent of this.#state.agents.values()) {
      if (agent.leftAtMs !== null) {
        continue;
      }
      if (this.presences.isGone(agent.agentId)) {
        this.#giveUp(agent.agentId);
      } else {
        alive.push(agent.agentId);
      }
    }
    const minute = Math.floor(this.#clock.nowMs() / MINUTE_MS);
    if (alive.length > 0 && minute > this.#state.lastMarkedMinute) {
      this.#committer.background({ kind: 'minute-mark', minute, aliveAgentIds: alive });
    }
  }

  #giveUp(agentId: string): void {
    this.#callerLog.write({ agentId }, 'agent given up: no heartbeat, or no watch stream');
    this.#watches.closeOf(agentId);
    this.#committer.background({ kind: 'agent-left', agentId });
  }
}
