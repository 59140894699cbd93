// The control plane's client of the metadata service: finds the process that owns a virtual cluster and calls it.
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import {
  type AclBinding,
  type AclFilter,
  type AclResult,
  AdminService,
  type ClusterView,
  type CommitOffsetsResponse,
  ConfigOp_Kind,
  type DeletedAcls,
  type DescribedTransaction,
  type OffsetAnswer,
  OWNER_URL_HEADER,
  type ScramCredential,
  type ScramDeletion,
  type SecuritySettings,
  type SecurityState,
  type TopicResult,
  type UserScramResult,
} from '@penstock/metadata-protocol';
import { AppError, type RootSecrets } from '@penstock/platform';
import { type AdminTlsFiles, connectionOptions } from './admin-tls.ts';
import { accessControlUnavailable, transactionsUnavailable } from './feature-unavailable.ts';
import { MetadataSessions } from './metadata-sessions.ts';
import { signCalls } from './sign-calls.ts';

export interface NewTopicRequest {
  name: string;
  /** -1 for the cluster's default. */
  partitions: number;
  configs: { name: string; value: string }[];
}

/** A config of a topic: a value, or null for the default. */
export interface TopicConfigChange {
  name: string;
  value: string | null;
}

export interface OffsetToSet {
  topic: string;
  partition: number;
  offset: number;
}

/** A user and a client ID as in the metadata service's ClientQuota; null removes a quota. */
export interface QuotaToSet {
  user: string | undefined;
  clientId: string | undefined;
  ops: readonly { key: string; value: number | null }[];
}

/** The calls to the metadata service that use-cases need. */
export interface MetadataAdmin {
  getClusterView(clusterId: string, signal?: AbortSignal): Promise<ClusterView>;
  /** The view now and after each change, at most once a second, until the signal aborts or the owner goes away. */
  watchClusterView(clusterId: string, signal: AbortSignal): AsyncIterable<ClusterView>;
  createTopics(clusterId: string, topics: NewTopicRequest[]): Promise<TopicResult[]>;
  deleteTopics(clusterId: string, names: string[]): Promise<TopicResult[]>;
  /** Applies all changes or none. */
  alterConfigs(clusterId: string, topic: string, changes: readonly TopicConfigChange[]): Promise<TopicResult[]>;
  /**
   * Sets the committed offsets of a group without members. While it has members, Kafka's UNKNOWN_MEMBER_ID (25) refuses
   * this.
   */
  commitOffsets(clusterId: string, groupId: string, offsets: readonly OffsetToSet[]): Promise<CommitOffsetsResponse>;
  /** @returns Kafka's error code for each group: 0, GROUP_ID_NOT_FOUND (69), or NON_EMPTY_GROUP (68) while it has members */
  deleteGroups(clusterId: string, groupIds: string[]): Promise<number[]>;
  /**
   * For each partition of the topic, the first offset of the run with the first record at or after a time, or -1 if
   * there is no such record.
   * @param topicId 16 bytes
   */
  offsetsAtTime(clusterId: string, topicId: Uint8Array, partitions: number, timeMs: number): Promise<OffsetAnswer[]>;
  /**
   * Transactional producers by id, with their open transactions.
   * @param states Kafka's names; all if empty
   * @throws AppError `transactions_unavailable`
   */
  listTransactions(clusterId: string, states: readonly string[]): Promise<DescribedTransaction[]>;
  /**
   * Aborts an open transaction and fences its producer.
   * @param actor who asks, for the service's log
   * @returns Kafka's error code: 0, TRANSACTIONAL_ID_NOT_FOUND (105), or INVALID_TXN_STATE (48) when none is open
   */
  abortTransaction(clusterId: string, actor: string, transactionalId: string): Promise<number>;
  /** Users, ACLs, quotas and the settings of access control. */
  describeSecurity(clusterId: string): Promise<SecurityState>;
  /** @param actor who asks, for the service's log */
  alterUsers(
    clusterId: string,
    actor: string,
    change: { upserts: ScramCredential[]; deletions: ScramDeletion[] },
  ): Promise<UserScramResult[]>;
  createAcls(clusterId: string, actor: string, bindings: AclBinding[]): Promise<AclResult[]>;
  deleteAcls(clusterId: string, actor: string, filters: AclFilter[]): Promise<DeletedAcls[]>;
  alterQuota(clusterId: string, actor: string, quota: QuotaToSet): Promise<AclResult | undefined>;
  /** @throws AppError `security_changed` when the state has another version than expected */
  updateSecuritySettings(
    clusterId: string,
    settings: SecuritySettings,
    expectedVersion: number,
  ): Promise<SecurityState>;
  /** Closes all connections. */
  close(): void;
}

export interface MetadataAdminOptions {
  /** Base URLs of the metadata service's ports for the control plane. Any process can name the owner of a cluster. */
  urls: readonly string[];
  /** Sign the token of each call. The service has the same. */
  keys: RootSecrets;
  /** For https URLs. Absent: the authorities that Node trusts, and no certificate of our own. */
  tls?: AdminTlsFiles | undefined;
}

const CALL_TIMEOUT_MS = 5_000;
/** Tries each process once, then the owner that they name, and once more in case the ownership moved meanwhile. */
const EXTRA_ATTEMPTS = 2;

interface Endpoint {
  client: ReturnType<typeof createClient<typeof AdminService>>;
  sessions: MetadataSessions;
}

/** The error that users see when no process answers for the cluster. */
function unavailable(cause: unknown): AppError {
  return new AppError({
    kind: 'unavailable',
    code: 'metadata_unavailable',
    message: 'The metadata service isn’t responding for this cluster.',
    remedy: 'Try again in a few seconds. Before you repeat a change, check whether it was made.',
    cause,
  });
}

function isWorthAnotherTry(error: ConnectError): boolean {
  return error.code === Code.Unavailable || error.code === Code.DeadlineExceeded || error.code === Code.Aborted;
}

/** Creates the client. Connects with the first call. */
export function createMetadataAdmin({ urls, keys, tls }: MetadataAdminOptions): MetadataAdmin {
  const endpoints = new Map<string, Endpoint>();
  /** The last known owner of each cluster, which is tried first. */
  const ownerUrls = new Map<string, string>();

  function endpointAt(url: string): Endpoint {
    const known = endpoints.get(url);
    if (known !== undefined) {
      return known;
    }
    const sessions = new MetadataSessions(url, undefined, tls === undefined ? undefined : connectionOptions(tls));
    const transport = createConnectTransport({
      baseUrl: url,
      httpVersion: '2',
      sessionManager: sessions,
      interceptors: [signCalls(keys)],
    });
    const endpoint = { client: createClient(AdminService, transport), sessions };
    endpoints.set(url, endpoint);
    return endpoint;
  }

  /** The order in which to try processes. Grows when an answer names the owner. */
  function* candidates(clusterId: string, hint: { ownerUrl: string | null }): Generator<string> {
    const asked: string[] = [];
    const remembered = ownerUrls.get(clusterId);
    if (remembered !== undefined) {
      yield remembered;
    }
    for (let attempt = 0; attempt < urls.length + EXTRA_ATTEMPTS; attempt += 1) {
      const named = hint.ownerUrl;
      hint.ownerUrl = null;
      const next = named ?? urls.find((url) => !asked.includes(url)) ?? urls[attempt % urls.length];
      if (next === undefined) {
        return;
      }
      asked.push(next);
      yield next;
    }
  }

  /** @param unavailableFeature the error for a service of a release without the call */
  async function callOwner<T>(
    clusterId: string,
    call: (client: Endpoint['client']) => Promise<T>,
    unavailableFeature: (cause: unknown) => AppError = accessControlUnavailable,
  ): Promise<T> {
    const hint: { ownerUrl: string | null } = { ownerUrl: null };
    let last: unknown;
    for (const url of candidates(clusterId, hint)) {
      try {
        const answer = await call(endpointAt(url).client);
        ownerUrls.set(clusterId, url);
        return answer;
      } catch (thrown) {
        const error = ConnectError.from(thrown);
        if (!isWorthAnotherTry(error)) {
          throw error.code === Code.Unimplemented ? unavailableFeature(error) : explain(error);
        }
        ownerUrls.delete(clusterId);
        hint.ownerUrl = error.metadata.get(OWNER_URL_HEADER);
        last = error;
      }
    }
    throw unavailable(last);
  }

  return {
    getClusterView: (clusterId, signal) =>
      callOwner(clusterId, (client) =>
        client.getClusterView(
          { clusterId },
          { timeoutMs: CALL_TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) },
        ),
      ),

    async *watchClusterView(clusterId, signal) {
      const stream = await callOwner(clusterId, async (client) => {
        const views = client.watchClusterView({ clusterId }, { signal })[Symbol.asyncIterator]();
        // Only the first view shows whether this process is the owner.
        return { views, first: await views.next() };
      });
      try {
        for (let view = stream.first; view.done !== true; view = await stream.views.next()) {
          yield view.value;
        }
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        ownerUrls.delete(clusterId);
        throw explain(ConnectError.from(error));
      } finally {
        await stream.views.return?.();
      }
    },

    createTopics: async (clusterId, topics) => {
      const answer = await callOwner(clusterId, (client) =>
        client.adminCreateTopics(
          { clusterId, request: { topics, validateOnly: false } },
          { timeoutMs: CALL_TIMEOUT_MS },
        ),
      );
      return answer.results;
    },

    deleteTopics: async (clusterId, names) => {
      const answer = await callOwner(clusterId, (client) =>
        client.adminDeleteTopics({ clusterId, request: { names } }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return answer.results;
    },

    alterConfigs: async (clusterId, topic, changes) => {
      const ops = changes.map(({ name, value }) =>
        value === null ? { kind: ConfigOp_Kind.DELETE, name } : { kind: ConfigOp_Kind.SET, name, value },
      );
      const answer = await callOwner(clusterId, (client) =>
        client.adminAlterConfigs(
          { clusterId, request: { topics: [{ name: topic, ops }], validateOnly: false } },
          { timeoutMs: CALL_TIMEOUT_MS },
        ),
      );
      return answer.results;
    },

    commitOffsets: (clusterId, groupId, offsets) => {
      const committed = offsets.map(({ topic, partition, offset }) => ({
        topic,
        partition,
        offset: BigInt(offset),
        leaderEpoch: -1,
        metadata: '',
      }));
      const request = { groupId, generationId: -1, memberId: '', offsets: committed };
      return callOwner(clusterId, (client) =>
        client.adminCommitOffsets({ clusterId, request }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
    },

    deleteGroups: async (clusterId, groupIds) => {
      const answer = await callOwner(clusterId, (client) =>
        client.adminDeleteGroups({ clusterId, request: { groupIds } }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return answer.errorCodes;
    },

    offsetsAtTime: async (clusterId, topicId, partitions, timeMs) => {
      const queries = Array.from({ length: partitions }, (_, partition) => ({
        topicId,
        partition,
        timestampMs: BigInt(timeMs),
      }));
      const answer = await callOwner(clusterId, (client) =>
        client.adminListOffsets({ clusterId, request: { queries } }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return answer.answers;
    },

    listTransactions: async (clusterId, states) => {
      const request = { states: [...states], producerIds: [], minDurationMs: -1n };
      const answer = await callOwner(
        clusterId,
        (client) => client.adminListTransactions({ clusterId, request }, { timeoutMs: CALL_TIMEOUT_MS }),
        transactionsUnavailable,
      );
      return answer.transactions;
    },

    abortTransaction: async (clusterId, actor, transactionalId) => {
      const request = { transactionalId, producerId: -1n, actor };
      const answer = await callOwner(
        clusterId,
        (client) => client.adminAbortTransaction({ clusterId, request }, { timeoutMs: CALL_TIMEOUT_MS }),
        transactionsUnavailable,
      );
      return answer.errorCode;
    },

    describeSecurity: async (clusterId) => {
      const answer = await callOwner(clusterId, (client) =>
        client.adminDescribeSecurity({ clusterId }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return stateOf(answer.state);
    },

    alterUsers: async (clusterId, actor, { upserts, deletions }) => {
      const request = { actor, upserts, deletions };
      const answer = await callOwner(clusterId, (client) =>
        client.adminAlterUserScramCredentials({ clusterId, request }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return answer.results;
    },

    createAcls: async (clusterId, actor, bindings) => {
      const answer = await callOwner(clusterId, (client) =>
        client.adminCreateAcls({ clusterId, request: { actor, bindings } }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return answer.results;
    },

    deleteAcls: async (clusterId, actor, filters) => {
      const answer = await callOwner(clusterId, (client) =>
        client.adminDeleteAcls({ clusterId, request: { actor, filters } }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return answer.results;
    },

    alterQuota: async (clusterId, actor, { user, clientId, ops }) => {
      const alteration = {
        ...(user !== undefined && { user }),
        ...(clientId !== undefined && { clientId }),
        ops: ops.map(({ key, value }) => ({ key, ...(value !== null && { value }) })),
      };
      const request = { actor, alterations: [alteration], validateOnly: false };
      const answer = await callOwner(clusterId, (client) =>
        client.adminAlterClientQuotas({ clusterId, request }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return answer.results[0];
    },

    updateSecuritySettings: async (clusterId, settings, expectedVersion) => {
      const request = { clusterId, settings, expectedVersion: BigInt(expectedVersion) };
      const answer = await callOwner(clusterId, (client) =>
        client.adminUpdateSecuritySettings(request, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      return stateOf(answer.state);
    },

    close: () => {
      for (const { sessions } of endpoints.values()) {
        sessions.abort();
      }
      endpoints.clear();
    },
  };
}

function stateOf(state: SecurityState | undefined): SecurityState {
  if (state === undefined) {
    throw new Error('The metadata service answered without a state.');
  }
  return state;
}

/** Translates an error of the owner into an AppError. */
function explain(error: ConnectError): AppError {
  switch (error.code) {
    case Code.NotFound:
      return new AppError({
        kind: 'not-found',
        code: 'cluster_not_found',
        message: 'This cluster doesn’t exist or was deleted.',
        remedy: 'Reload the page. Deleted clusters can be restored for 30 days.',
        cause: error,
      });
    case Code.InvalidArgument:
      return new AppError({ kind: 'invalid-input', code: 'metadata_refused', message: error.rawMessage, cause: error });
    case Code.FailedPrecondition:
      return new AppError({
        kind: 'conflict',
        code: 'security_changed',
        message: 'Users, ACLs or settings of this cluster have changed since you read them.',
        remedy: 'Read them again and repeat the change.',
        cause: error,
      });
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return new AppError({
        kind: 'internal',
        code: 'internal_token_refused',
        message: 'The metadata service refuses the control plane’s tokens.',
        remedy: 'Give both the same PENSTOCK_ADMIN_KEYS, and compare the clocks of their machines.',
        cause: error,
      });
    default:
      return unavailable(error);
  }
}
