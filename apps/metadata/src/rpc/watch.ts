// The watch stream of one agent. Its first event is the whole catalogue, and all users, ACLs and quotas.
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import {
  type ClusterState,
  describeSecurity,
  describeTopics,
  type Id,
  registeredAgents,
} from '@penstock/metadata-core';
import { CatalogueSchema, TopicSchema, type WatchRequest } from '@penstock/metadata-protocol';
import { every } from '@penstock/platform';
import type { AgentKeyScope } from '@penstock/platform/agent-key-scope';
import type { Clock } from '../owners/clock.ts';
import type { Owner } from '../owners/owner.ts';
import type { WatchEnd, WatchNews, WatchStream } from '../owners/watch-stream.ts';
import { allTopicIds } from './describe-cluster.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { agentMessage, settingsMessage, topicMessage } from './messages/catalogue.ts';
import { partitionUpdateMessage } from './messages/runs.ts';
import { securityMessage, sharedSecurityMessage } from './messages/security.ts';

const TOPICS = { entry: TopicSchema, fieldNumber: CatalogueSchema.field.topics.number };
/** Answers about keys are cached for 1.5 s, so a revoked key's stream ends within three seconds. */
const KEY_CHECK_INTERVAL_MS = 500;
/** At least this many events are sent in the time for which one event keeps the stream's contents current. */
const EVENTS_WHILE_CURRENT = 3;

/** How a stream ends whose key no longer gives the access that it gave when the stream was opened. */
export type AccessEnd = Extract<WatchEnd, 'key-revoked' | 'key-changed' | 'cluster-stopped'>;

export interface WatchContext {
  owner: Owner;
  context: Pick<HandlerContext, 'signal'>;
  clock: Clock;
  /** Why the caller's key no longer gives the access that it gave when the stream was opened; undefined while it does. */
  accessEnd: () => Promise<AccessEnd | undefined>;
  /** The scope of that key. */
  scope: AgentKeyScope | undefined;
  /** The id of that key. */
  keyId?: string;
  /** Breaks the connection's stream, for a reader that does not take what it is sent. */
  cutOff?: () => void;
  /** Waits for a turn among all clusters. Undefined: go on at once. Absent: there are no others. */
  turn?: () => Promise<void> | undefined;
  /** How long the stream's contents stay current after an event; less than a lease lasts. Absent, in tests: they are not. */
  currentForMs?: number;
}

export async function* watch(
  { owner, context, clock, accessEnd, scope, keyId, cutOff, turn, currentForMs = 0 }: WatchContext,
  request: WatchRequest,
) {
  const caller = { ...(keyId !== undefined && { keyId }), ...(cutOff !== undefined && { cutOff }) };
  const { stream, state } = owner.watches.open(request.agentId, caller);
  const checkKey = async (): Promise<void> => {
    const end = await accessEnd();
    if (end !== undefined) {
      owner.watches.close(stream, end);
    }
  };
  const timers = { timers: clock };
  const stopChecks = every(KEY_CHECK_INTERVAL_MS, checkKey, timers);
  const stopKeepalives =
    currentForMs === 0 ? () => undefined : every(currentForMs / EVENTS_WHILE_CURRENT, () => stream.keepAlive(), timers);
  const onAbort = (): void => owner.watches.close(stream, 'closed');
  context.signal.addEventListener('abort', onAbort);
  try {
    await owner.watches.roomForFirst(stream);
    if (stream.end === undefined) {
      // What changes while the topics are described is news, too: it is sent afterwards, and replaces what the first event says.
      const answering = { owner, turn: turn ?? (() => undefined) };
      const topics = await encodeInSteps(
        answering,
        TOPICS,
        await allTopicIds(owner),
        described,
        Number.POSITIVE_INFINITY,
      );
      const first = await owner.read((read) => ({
        watchId: stream.watchId,
        catalogue: withList(
          CatalogueSchema,
          { full: true, agents: usableAgents(owner, read, scope), agentsChanged: true },
          topics,
        ),
        settings: settingsMessage(read.settings, read.rules),
        ...(seesUsers(scope) && { security: securityMessage(describeSecurity(read)) }),
      }));
      yield { ...first, journalPosition: owner.witnessedPosition, currentForMs };
    }
    for (let news = await stream.next(); news !== undefined; news = await stream.next()) {
      if (hasMuch(news)) {
        await turn?.();
      }
      yield {
        ...eventMessage(owner, news, state, scope),
        journalPosition: owner.witnessedPosition,
        currentForMs: owner.isCertain ? currentForMs : 0,
      };
    }
  } finally {
    stopChecks();
    stopKeepalives();
    context.signal.removeEventListener('abort', onAbort);
    owner.watches.close(stream, 'closed');
  }
  throwEnd(stream);
}

/** Agents that run jobs alone sign nobody in, so they get no users, ACLs and quotas. */
const seesUsers = (scope: AgentKeyScope | undefined): boolean => scope === 'agent' || scope === 'read_only';

function described(state: ClusterState, topicId: Id) {
  return describeTopics(state, { topicIds: [topicId] }).map(topicMessage);
}

/**
 * The live agents to which an agent may send its clients, without the fields that only the dashboard needs. Agents that serve consumers only
 * are hidden from the others, because no producer may be sent there, and know only each other.
 */
function usableAgents({ agents: { presences } }: Owner, state: ClusterState, scope: AgentKeyScope | undefined) {
  const isReader = scope === 'read_only';
  return registeredAgents(state)
    .filter(({ agentId, leftAtMs }) => leftAtMs === null && !presences.isNotReady(agentId))
    .filter(({ agentId }) => presences.isReadOnly(agentId) === isReader)
    .map((agent) => {
      const { internal, listeners = [] } = presences.get(agent.agentId) ?? {};
      // No agent needs the others' bucket, and the holder of a leaked key must not learn it. How clients sign in at a listener is between
      // the client and its agent.
      return {
        ...agentMessage(agent),
        bucket: '',
        internalUrl: internal?.url ?? '',
        internalKeySha256: internal?.keySha256 ?? new Uint8Array(),
        listeners: listeners.map(({ name, host, port }) => ({ name, host, port })),
      };
    });
}

function eventMessage(owner: Owner, news: WatchNews, state: ClusterState, scope: AgentKeyScope | undefined) {
  const { catalogue, settings, security, partitions } = news;
  return {
    ...(catalogue === undefined
      ? {}
      : {
          catalogue: {
            topics: catalogue.topics.map(topicMessage),
            deletedTopicIds: catalogue.deletedTopicIds,
            agentsChanged: catalogue.agentsChanged,
            agents: catalogue.agentsChanged ? usableAgents(owner, state, scope) : [],
          },
        }),
    ...(settings === undefined ? {} : { settings: settingsMessage(settings, state.rules) }),
    ...(security === undefined || !seesUsers(scope) ? {} : { security: sharedSecurityMessage(security) }),
    partitions: partitions.map(partitionUpdateMessage),
  };
}

/** Whether an event takes time in proportion to what the cluster has. */
function hasMuch({ partitions, catalogue, security }: WatchNews): boolean {
  return partitions.length > 0 || catalogue !== undefined || security !== undefined;
}

const endings: Record<Exclude<WatchEnd, 'closed'>, { code: Code; message: string }> = {
  'too-slow': { code: Code.ResourceExhausted, message: 'the reader fell too far behind; open a new stream' },
  replaced: {
    code: Code.Aborted,
    message: 'the agent has opened newer streams: each agent needs an agent_id of its own, and one stream',
  },
  'owner-stepped-down': { code: Code.Unavailable, message: 'the owner of the cluster stepped down; open a new stream' },
  'key-revoked': { code: Code.Unauthenticated, message: 'the agent key is revoked: create a new one in the dashboard' },
  'key-changed': { code: Code.Unavailable, message: 'the scope of the agent key has changed; open a new stream' },
  'cluster-stopped': {
    code: Code.Unavailable,
    message: 'the virtual cluster is stopped: open a new stream to hear why',
  },
  'cluster-deleted': { code: Code.NotFound, message: 'the virtual cluster is deleted' },
};

function throwEnd({ end }: WatchStream): void {
  if (end === undefined || end === 'closed') {
    return;
  }
  const { code, message } = endings[end];
  throw new ConnectError(message, code);
}
