// Assesses a cluster: takes the history and a snapshot, returns the verdict and the new history. Reads no clock.
import { follow } from './conditions.ts';
import { factsOf, p95Of } from './facts.ts';
import { followGroups } from './group-memory.ts';
import type { AgentFacts, Assessment, Condition, Finding, History, Level, Occurrence, Snapshot } from './model.ts';
import { rules } from './rules/all.ts';
import { MOST_AGENT_EVENTS, NO_AGENT_MEMORY_MS, ZONE_MEMORY_MS } from './thresholds.ts';
import { learn } from './usual-latency.ts';

/** The history of a cluster that was never checked. */
export function newHistory(nowMs: number): History {
  return {
    version: 1,
    level: 'waiting',
    levelSinceMs: nowMs,
    aliveAtMs: null,
    aliveNodeIds: [],
    zones: [],
    groups: [],
    put: { minute: -1, p95s_ms: [] },
    commit: { minute: -1, p95s_ms: [] },
    conditions: [],
  };
}

export function assess(snapshot: Snapshot, before: History): Assessment {
  const { atMs: nowMs, state } = snapshot;
  const groups = state === null ? before.groups : followGroups(before.groups, state.groups, nowMs);
  const presence = followAgents(before, state?.agents ?? null, nowMs);
  const facts = factsOf(snapshot, { ...before, ...presence.memory }, new Map(groups));
  const conditions = rules.flatMap((rule) => follow(rule, before.conditions, facts));

  const open = conditions.filter(({ isOpen }) => isOpen).map(({ finding }) => finding);
  const opened = openFindings(before.conditions);
  const raised = open.filter(({ key }) => !opened.some((finding) => finding.key === key));
  const resolved = opened.filter(({ key }) => !open.some((finding) => finding.key === key));
  const level = levelOf(open, presence.memory.aliveAtMs, nowMs);
  const levelSinceMs =
    level === before.level ? before.levelSinceMs : level === 'healthy' ? nowMs : earliest(raised, nowMs);
  const history: History = {
    version: 1,
    level,
    levelSinceMs,
    ...presence.memory,
    groups,
    put: learn(before.put, nowMs, p95Of(facts.together, 'produce_put')),
    commit: learn(before.commit, nowMs, p95Of(facts.together, 'produce_commit')),
    conditions,
  };
  return {
    verdict: { level, sinceMs: levelSinceMs, findings: open.toSorted(byWeight) },
    raised,
    resolved,
    occurrences: presence.occurrences,
    history,
    change: changeOf(before, history, presence.occurrences),
  };
}

/** The open findings of a history, most severe first, then oldest first. */
export function openFindings(conditions: readonly Condition[]): Finding[] {
  return conditions
    .filter(({ isOpen }) => isOpen)
    .map(({ finding }) => finding)
    .toSorted(byWeight);
}

function byWeight(left: Finding, right: Finding): number {
  if (left.severity !== right.severity) {
    return left.severity === 'critical' ? -1 : 1;
  }
  return left.sinceMs - right.sinceMs || (left.key < right.key ? -1 : 1);
}

function levelOf(open: readonly Finding[], aliveAtMs: number | null, nowMs: number): Level {
  if (open.some(({ severity }) => severity === 'critical')) {
    return 'critical';
  }
  if (open.length > 0) {
    return 'degraded';
  }
  return aliveAtMs === null || nowMs - aliveAtMs > NO_AGENT_MEMORY_MS ? 'waiting' : 'healthy';
}

function earliest(findings: readonly Finding[], nowMs: number): number {
  return findings.reduce((least, { sinceMs }) => Math.min(least, sinceMs), nowMs);
}

interface Presence {
  memory: Pick<History, 'aliveAtMs' | 'aliveNodeIds' | 'goneNodeIds' | 'zones'>;
  occurrences: Occurrence[];
}

function followAgents(before: History, agents: readonly AgentFacts[] | null, nowMs: number): Presence {
  const { aliveAtMs, aliveNodeIds, goneNodeIds = [], zones } = before;
  if (agents === null) {
    return { memory: { aliveAtMs, aliveNodeIds, goneNodeIds, zones }, occurrences: [] };
  }
  const alive = agents.filter(({ isAlive }) => isAlive).toSorted((left, right) => left.nodeId - right.nodeId);
  const remembered = zones.filter(([, atMs]) => nowMs - atMs <= ZONE_MEMORY_MS);
  return {
    memory: {
      aliveAtMs: alive.length > 0 ? nowMs : aliveAtMs,
      aliveNodeIds: alive.map(({ nodeId }) => nodeId),
      goneNodeIds: goneAfter(before, agents),
      zones: [...new Map([...remembered, ...alive.map(({ zone }) => [zone, nowMs] as const)])],
    },
    occurrences: agentOccurrences(before, alive, agents),
  };
}

/**
 * Agents that were alive at some check and are dead now. The metadata service forgets them after an hour, and so do we.
 */
function goneAfter({ aliveNodeIds, goneNodeIds = [] }: History, agents: readonly AgentFacts[]): number[] {
  const seen = new Set([...aliveNodeIds, ...goneNodeIds]);
  return agents.filter(({ isAlive, nodeId }) => !isAlive && seen.has(nodeId)).map(({ nodeId }) => nodeId);
}

function agentOccurrences(
  { aliveNodeIds: before, goneNodeIds = [] }: History,
  alive: readonly AgentFacts[],
  agents: readonly AgentFacts[],
): Occurrence[] {
  const [wasAlive, isAlive] = [new Set(before), new Set(alive.map(({ nodeId }) => nodeId))];
  const wasGone = new Set(goneNodeIds);
  const joined = alive.filter(({ nodeId }) => !wasAlive.has(nodeId));
  const left = before.filter((nodeId) => !isAlive.has(nodeId));
  if (joined.length + left.length > MOST_AGENT_EVENTS) {
    const text = `${joined.length} agents joined and ${left.length} left; ${alive.length} are alive.`;
    return [{ type: 'agents.changed', agent: null, text }];
  }
  const known = new Map(agents.map((agent) => [agent.nodeId, agent]));
  const inZone = (agent: AgentFacts | undefined): string =>
    agent === undefined || agent.zone === '' ? '' : ` in zone ${agent.zone}`;
  return [
    ...joined.map((agent): Occurrence => {
      const who = `Agent ${agent.nodeId}${inZone(agent)}`;
      if (wasGone.has(agent.nodeId)) {
        return { type: 'agent.back', agent, text: `${who} is back.` };
      }
      const replaced = predecessorOf(agent, agents);
      if (replaced === undefined) {
        return { type: 'agent.joined', agent, text: `${who} joined, version ${agent.version}.` };
      }
      const text = `${who} joined, version ${agent.version}, replacing agent ${replaced.nodeId}${changeOfAgent(replaced, agent)}.`;
      return { type: 'agent.joined', agent, replaced, text };
    }),
    ...left.map((nodeId): Occurrence => {
      const agent = known.get(nodeId);
      return agent?.isLost === true
        ? { type: 'agent.lost', agent, text: `Agent ${nodeId}${inZone(agent)} is lost. It stopped responding.` }
        : { type: 'agent.left', agent: agent ?? null, text: `Agent ${nodeId}${inZone(agent)} left.` };
    }),
  ];
}

/** The last agent at the same address: the metadata service treats each start of an agent as a new agent. */
function predecessorOf({ address, nodeId }: AgentFacts, agents: readonly AgentFacts[]): AgentFacts | undefined {
  if (address === '') {
    return undefined;
  }
  return agents
    .filter((other) => other.address === address && !other.isAlive && other.nodeId < nodeId)
    .toSorted((left, right) => right.nodeId - left.nodeId)[0];
}

/** Describes the change; empty if nothing has changed. */
function changeOfAgent(before: AgentFacts, after: AgentFacts): string {
  const changes = [
    before.version === after.version ? '' : `version ${before.version}`,
    before.zone === after.zone ? '' : before.zone === '' ? 'without a zone' : `zone ${before.zone}`,
  ].filter((change) => change !== '');
  return changes.length === 0 ? '' : `, which was ${changes.join(' and ')}`;
}

/** The kind of change since the previous check. */
function changeOf(before: History, after: History, occurrences: readonly Occurrence[]): Assessment['change'] {
  const words = ({ conditions }: History): string =>
    openFindings(conditions)
      .map(({ key, severity, cause }) => `${key} ${severity} ${cause}`)
      .join('\n');
  if (occurrences.length > 0 || before.level !== after.level || words(before) !== words(after)) {
    return 'notify';
  }
  const marks = ({ conditions }: History): string =>
    conditions.map(({ finding, isOpen, goodSinceMs }) => `${finding.key} ${isOpen} ${goodSinceMs}`).join('\n');
  const minutes = ({ groups, put, commit }: History): string =>
    `${put.minute} ${commit.minute} ${groups[0]?.[1].minute ?? ''} ${groups.length}`;
  return marks(before) !== marks(after) || minutes(before) !== minutes(after) ? 'memory' : 'none';
}
