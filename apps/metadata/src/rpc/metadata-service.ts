// The agents' RPC: lists its calls, and finds the owner for each.
import type { DescMessage, Message, MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter, createContextKey, type HandlerContext } from '@connectrpc/connect';
import {
  JOURNAL_POSITION_HEADER,
  MetadataService,
  type ReportTelemetryRequest,
  type WatchRequest,
} from '@penstock/metadata-protocol';
import type { AddressVerdict, AgentAddresses } from '../auth/agent-addresses.ts';
import { type AgentCaller, type ArrivingCall, admitAgent, agentCaller } from '../auth/agent-gate.ts';
import type { AgentKeys } from '../auth/agent-keys.ts';
import type { DeedClient, DeedKind, KeyDeeds } from '../auth/key-deeds.ts';
import type { MessageBrowserKeys } from '../auth/message-browser-keys.ts';
import { requireScope } from '../auth/method-scopes.ts';
import type { PeerSecret } from '../auth/peer-secrets.ts';
import type { BytesInFlight, HeldBytes } from '../budgets/bytes-in-flight.ts';
import { type CallBudgets, expectedBatches } from '../budgets/call-budgets.ts';
import type { FairQueue } from '../budgets/fair-queue.ts';
import { OverBudget } from '../budgets/over-budget.ts';
import { MAX_ADAPTED_BYTES, requestLimit } from '../budgets/request-limits.ts';
import type { Share, Tenants } from '../budgets/tenants.ts';
import type { Clock } from '../owners/clock.ts';
import { ClusterStopped } from '../owners/errors.ts';
import type { Owner } from '../owners/owner.ts';
import type { Owners } from '../owners/owners.ts';
import type { Traces } from '../traces/traces.ts';
import { abortTransaction } from './abort-transaction.ts';
import { addToTransaction } from './add-to-transaction.ts';
import type { AgentCallContext, CallFacts } from './agent-call.ts';
import { agentHeartbeat } from './agent-heartbeat.ts';
import { alterClientMetrics } from './alter-client-metrics.ts';
import { alterClientQuotas } from './alter-client-quotas.ts';
import { alterConfigs } from './alter-configs.ts';
import { alterGroupConfigs } from './alter-group-configs.ts';
import { alterUserScramCredentials } from './alter-user-scram-credentials.ts';
import { commitFile, commitFileBytes } from './commit-file.ts';
import { commitOffsets } from './commit-offsets.ts';
import { completeJob } from './complete-job.ts';
import { confirmDeletions } from './confirm-deletions.ts';
import { connectErrorOf } from './connect-errors.ts';
import { consumerGroupHeartbeat } from './consumer-group-heartbeat.ts';
import { createAcls } from './create-acls.ts';
import { createPartitions } from './create-partitions.ts';
import { createTopics } from './create-topics.ts';
import { cutOffKey } from './cut-off.ts';
import { deleteAcls } from './delete-acls.ts';
import { deleteGroups } from './delete-groups.ts';
import { deleteOffsets } from './delete-offsets.ts';
import { deleteRecords } from './delete-records.ts';
import { deleteTopics } from './delete-topics.ts';
import { deregisterAgent } from './deregister-agent.ts';
import { describeCluster } from './describe-cluster.ts';
import { describeConsumerGroups } from './describe-consumer-groups.ts';
import { describeGroupConfigs } from './describe-group-configs.ts';
import { describeGroups } from './describe-groups.ts';
import { describeProducers } from './describe-producers.ts';
import { describeSecurity } from './describe-security.ts';
import { describeTransactions } from './describe-transactions.ts';
import { endTransaction } from './end-transaction.ts';
import { fetchOffsets } from './fetch-offsets.ts';
import { groupHeartbeat } from './group-heartbeat.ts';
import { initProducerId } from './init-producer-id.ts';
import { joinGroup } from './join-group.ts';
import { knownFiles } from './known-files.ts';
import { leaveGroup } from './leave-group.ts';
import { listGroups } from './list-groups.ts';
import { listOffsets } from './list-offsets.ts';
import { listTransactions } from './list-transactions.ts';
import { locate } from './locate.ts';
import { requireOwnAgents } from './own-agents.ts';
import { byMessages, noRoom, type PlainCall } from './plain-calls.ts';
import { registerAgent } from './register-agent.ts';
import { type Reports, reportTelemetry } from './report-telemetry.ts';
import { syncGroup } from './sync-group.ts';
import { takeDeletions } from './take-deletions.ts';
import { takeJob } from './take-job.ts';
import { updateInterest } from './update-interest.ts';
import { type AccessEnd, watch } from './watch.ts';

/** A lease is renewed every third of its TTL, so an owner that is certain of its lease now keeps it for at least this share of the TTL. */
const CURRENT_SHARE_OF_LEASE = 0.5;

const chargedBatchesKey = createContextKey(0, {
  description: 'batches that a commit was charged with before it was read',
});

export interface MetadataServiceOptions {
  owners: Owners;
  keys: AgentKeys;
  addresses: AgentAddresses;
  budgets: CallBudgets;
  /** Shares the processor among clusters. */
  turns: FairQueue;
  deeds: KeyDeeds;
  tenants: Tenants;
  bytesInFlight: BytesInFlight;
  clock: Clock;
  /** Load balancers whose x-forwarded-for is trusted. */
  trustedProxies: readonly string[];
  reports: Reports;
  nowMs: () => number;
  messageBrowserKeys: MessageBrowserKeys;
  /** The secrets with which a cluster's agents authenticate each other at a time, in milliseconds since the Unix epoch. */
  peerSecrets: (clusterId: string, nowMs: number) => PeerSecret[];
  /** The secret with this id, if the cluster's agents had it lately. */
  peerSecret: (clusterId: string, id: bigint, nowMs: number) => Uint8Array | undefined;
  /** A call failed because of a defect of ours. */
  onDefect: (error: unknown, method: string) => void;
  /** Objects that the cluster does not know may be deleted from this age on. Null: none may. */
  orphanAgeMs: number | null;
  leaseTtlMs: number;
  /** Undefined when tracing is disabled. */
  traces: Traces | undefined;
}

export interface AgentsService {
  /** Registers the calls that Connect's adapter serves. */
  register(router: ConnectRouter): void;
  readonly plainCalls: readonly PlainCall[];
  readonly watch: {
    /** @throws ConnectError to refuse the stream */
    admit(call: CallFacts): Promise<void>;
    /** @throws ConnectError */
    answer(request: WatchRequest, call: WatchCall): WatchEvents;
  };
}

export type WatchCall = ArrivingCall & Pick<HandlerContext, 'signal'>;
type WatchEvents = AsyncGenerator<MessageInitShape<typeof MetadataService.method.watch.output>, void>;

/** Any of them; each is called with the message of its own method. */
type UnaryImplementation = (request: Message, facts: CallFacts) => Promise<MessageInitShape<DescMessage>>;

export function metadataService(options: MetadataServiceOptions): AgentsService {
  const {
    owners,
    keys,
    addresses,
    deeds,
    budgets,
    turns,
    tenants,
    bytesInFlight,
    clock,
    trustedProxies,
    reports,
    nowMs,
    messageBrowserKeys,
    peerSecrets,
    peerSecret,
    onDefect,
    orphanAgeMs,
    leaseTtlMs,
    traces,
  } = options;
  const currentForMs = Math.floor(leaseTtlMs * CURRENT_SHARE_OF_LEASE);

  /** Returns the owner once the position that the caller sent is confirmed to be in the journal. */
  async function witnessedOwner(facts: ArrivingCall): Promise<Owner> {
    const { clusterId, keyId } = agentCaller(facts);
    const owner = await owners.get(clusterId);
    const check = owner.checkWitness(facts.requestHeader.get(JOURNAL_POSITION_HEADER), `an agent with key ${keyId}`);
    if (check !== undefined) {
      await check;
    }
    return owner;
  }

  /** Reports need no owner, but only the owner knows whose an agent's id is. Those of a stopped cluster are taken as they are. */
  async function requireOwnReports(facts: CallFacts, request: ReportTelemetryRequest): Promise<void> {
    const { clusterId, keyId } = agentCaller(facts);
    const owner = await owners.get(clusterId).catch((error: unknown) => {
      if (error instanceof ClusterStopped) {
        return undefined;
      }
      throw error;
    });
    if (owner !== undefined) {
      requireOwnAgents(owner, keyId, request);
    }
  }

  async function checkAddresses(caller: AgentCaller, hosts: readonly string[]): Promise<AddressVerdict> {
    try {
      return await addresses.verdict(caller, hosts);
    } catch (cause) {
      throw new ConnectError(
        'the addresses of the agent cannot be checked at the moment; try again',
        Code.Unavailable,
        undefined,
        undefined,
        cause,
      );
    }
  }

  async function readOnlyKeys(clusterId: string): Promise<ReadonlySet<string>> {
    try {
      return await keys.readOnlyKeys(clusterId);
    } catch (cause) {
      throw new ConnectError(
        'the agent keys of the cluster cannot be read at the moment; try again',
        Code.Unavailable,
        undefined,
        undefined,
        cause,
      );
    }
  }

  /** A caller may repeat it, whether or not the database stored it. */
  async function storeMaxUncompressedBatchBytes(clusterId: string, bytes: number): Promise<void> {
    try {
      await owners.storeMaxUncompressedBatchBytes(clusterId, bytes);
    } catch (cause) {
      throw new ConnectError(
        'the defaults of the cluster cannot be stored at the moment; try again',
        Code.Unavailable,
        undefined,
        undefined,
        cause,
      );
    }
  }

  /**
   * Waits for a turn. Undefined: go on at once.
   * @throws ConnectError canceled when the caller has broken the call off: a program that does so in a loop would have it all computed
   */
  function turnOf({ signal }: CallFacts, share: Share, requestBytes = 0): Promise<void> | undefined {
    requireCaller(signal);
    return turns.enter(share, requestBytes)?.then(() => requireCaller(signal));
  }
  function onOwner<Request extends object, Response>(
    call: (context: AgentCallContext, request: Request) => Promise<Response>,
  ) {
    async function answer(request: Request, facts: CallFacts): Promise<Response> {
      try {
        const caller = agentCaller(facts);
        const { clusterId, keyId } = caller;
        const share = tenants.note(caller);
        await turnOf(facts, share, requestBytesOf(facts));
        const owner = await witnessedOwner(facts);
        requireOwnAgents(owner, keyId, request);
        const context = {
          owner,
          keyId,
          noteDeed: (kind: DeedKind, subject: string, client: DeedClient) => deeds.note(keyId, kind, subject, client),
          scope: caller.scope,
          mayAdminister: caller.mayAdminister,
          peerSecret: (id: bigint) => peerSecret(clusterId, id, owner.nowMs()),
          messageBrowserKeys: () => messageBrowserKeys.of(clusterId),
          peerSecrets: () => peerSecrets(clusterId, owner.nowMs()),
          addressVerdict: (hosts: readonly string[]) => checkAddresses(caller, hosts),
          orphanAgeMs,
          storeMaxUncompressedBatchBytes: (bytes: number) => storeMaxUncompressedBatchBytes(clusterId, bytes),
          turn: () => turnOf(facts, share),
          chargeBatches: (batches: number) =>
            budgets.chargeBatches(caller, batches - facts.values.get(chargedBatchesKey)),
        };
        const response = await call(context, request);
        facts.responseHeader.set(JOURNAL_POSITION_HEADER, owner.witnessedPosition);
        return response;
      } catch (error) {
        throw connectErrorOf(error, facts.method.name, onDefect);
      }
    }
    if (traces === undefined) {
      return answer;
    }
    return (request: Request, facts: CallFacts): Promise<Response> => {
      const { service, method, requestHeader } = facts;
      const traced = { service: service.typeName, method: method.name, traceparent: requestHeader.get('traceparent') };
      return traces.call(traced, () => answer(request, facts));
    };
  }

  const unaryCalls = {
    registerAgent: onOwner(registerAgent),
    agentHeartbeat: onOwner(agentHeartbeat),
    deregisterAgent: onOwner(deregisterAgent),
    async reportTelemetry(request: ReportTelemetryRequest, facts: CallFacts) {
      try {
        await requireOwnReports(facts, request);
        return await reportTelemetry(reports, agentCaller(facts), request, nowMs);
      } catch (error) {
        throw connectErrorOf(error, facts.method.name, onDefect);
      }
    },
    updateInterest: onOwner(updateInterest),
    describeCluster: onOwner(describeCluster),
    createTopics: onOwner(createTopics),
    deleteTopics: onOwner(deleteTopics),
    createPartitions: onOwner(createPartitions),
    alterConfigs: onOwner(alterConfigs),
    alterClientMetrics: onOwner(alterClientMetrics),
    commitFile: onOwner(commitFile),
    locate: onOwner(locate),
    listOffsets: onOwner(listOffsets),
    deleteRecords: onOwner(deleteRecords),
    initProducerId: onOwner(initProducerId),
    takeDeletions: onOwner(takeDeletions),
    confirmDeletions: onOwner(confirmDeletions),
    knownFiles: onOwner(knownFiles),
    takeJob: onOwner(takeJob),
    completeJob: onOwner(completeJob),
    joinGroup: onOwner(joinGroup),
    syncGroup: onOwner(syncGroup),
    groupHeartbeat: onOwner(groupHeartbeat),
    leaveGroup: onOwner(leaveGroup),
    commitOffsets: onOwner(commitOffsets),
    fetchOffsets: onOwner(fetchOffsets),
    deleteOffsets: onOwner(deleteOffsets),
    listGroups: onOwner(listGroups),
    describeGroups: onOwner(describeGroups),
    deleteGroups: onOwner(deleteGroups),
    consumerGroupHeartbeat: onOwner(consumerGroupHeartbeat),
    describeConsumerGroups: onOwner(describeConsumerGroups),
    alterGroupConfigs: onOwner(alterGroupConfigs),
    describeGroupConfigs: onOwner(describeGroupConfigs),
    addToTransaction: onOwner(addToTransaction),
    endTransaction: onOwner(endTransaction),
    abortTransaction: onOwner(abortTransaction),
    describeTransactions: onOwner(describeTransactions),
    listTransactions: onOwner(listTransactions),
    describeProducers: onOwner(describeProducers),
    alterUserScramCredentials: onOwner(alterUserScramCredentials),
    createAcls: onOwner(createAcls),
    deleteAcls: onOwner(deleteAcls),
    alterClientQuotas: onOwner(alterClientQuotas),
    describeSecurity: onOwner(describeSecurity),
  };

  const overBudget = new OverBudget(budgets, clock);
  async function admit(facts: CallFacts): Promise<void> {
    await admitAgent(keys, trustedProxies, facts);
    const { requestHeader, method, values } = facts;
    requireScope(agentCaller(facts).scope, method.name);
    const batches =
      method.name === MetadataService.method.commitFile.name ? expectedBatches(requestHeader.get('content-length')) : 0;
    values.set(chargedBatchesKey, batches);
    await overBudget.requireBudget(agentCaller(facts), method.name, batches);
  }
  function hold(facts: CallFacts, bytes: number): HeldBytes {
    const held = bytesInFlight.take(tenants.note(agentCaller(facts)), bytes);
    if (held === undefined) {
      throw noRoom();
    }
    return held;
  }
  /** Admits a call of Connect's adapter. A unary one is decoded at once and holds what that may take; a stream's request is small. */
  async function admitAdapted(context: HandlerContext): Promise<void> {
    await admit(context);
    if (context.method.methodKind === 'unary') {
      const held = hold(context, MAX_ADAPTED_BYTES);
      context.signal.addEventListener('abort', () => held.release(), { once: true });
    }
  }
  // Agents call it for each file that they write: a message with a bigint per offset would cost more than the commit itself.
  const fromBytes: Partial<Record<string, PlainCall['answer']>> = { commitFile: onOwner(commitFileBytes) };
  const plainCalls = Object.entries(unaryCalls).map(([name, call]): PlainCall => {
    const method = MetadataService.method[name as keyof typeof unaryCalls];
    const limit = requestLimit(method.name);
    const turn = (facts: CallFacts) => turnOf(facts, tenants.note(agentCaller(facts)));
    const answer = fromBytes[name] ?? byMessages(method, limit, turn, call as UnaryImplementation);
    return { method, limit, admit, hold, answer };
  });

  /** One stream, until it ends or its caller closes it. */
  async function* answerWatch(request: WatchRequest, context: WatchCall): WatchEvents {
    const caller = agentCaller(context);
    const { key, address, clusterId, keyId, scope } = caller;
    const accessEnd = async (): Promise<AccessEnd | undefined> => {
      try {
        const verdict = await keys.verify(key, address);
        if (verdict.outcome === 'good') {
          return verdict.identity.scope === scope ? undefined : 'key-changed';
        }
        if (verdict.outcome === 'suspended') {
          return 'cluster-stopped';
        }
        // Not looked up, so nothing shows that the key is no longer valid.
        return verdict.outcome === 'throttled' || verdict.outcome === 'busy' ? undefined : 'key-revoked';
      } catch {
        // The database is unreachable, so nothing shows that the key is no longer valid.
        return undefined;
      }
    };
    try {
      const owner = await witnessedOwner(context);
      requireOwnAgents(owner, keyId, request);
      owner.agents.presences.learnReadOnlyKeys(await readOnlyKeys(clusterId));
      const turn = () => turns.enter(tenants.note(caller));
      const cutOff = context.values.get(cutOffKey);
      yield* watch({ owner, context, clock, accessEnd, scope, keyId, cutOff, turn, currentForMs }, request);
    } catch (error) {
      throw connectErrorOf(error, MetadataService.method.watch.name, onDefect);
    }
  }

  return {
    plainCalls,
    watch: { admit, answer: answerWatch },
    register(router) {
      router.service(
        MetadataService,
        { ...unaryCalls, watch: answerWatch },
        { requestGate: admitAdapted, readMaxBytes: MAX_ADAPTED_BYTES },
      );
    },
  };
}

/** 0 when the call did not announce it. */
function requestBytesOf({ requestHeader }: CallFacts): number {
  const bytes = Number(requestHeader.get('content-length') ?? 0);
  return Math.max(bytes, 0);
}

function requireCaller({ aborted }: CallFacts['signal']): void {
  if (aborted) {
    throw new ConnectError('the caller has broken the call off', Code.Canceled);
  }
}
