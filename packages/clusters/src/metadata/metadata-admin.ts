// The control plane's client of the metadata service: the calls that use-cases need, in their terms.
import { Code, type ConnectError, createClient } from '@connectrpc/connect';
import {
  type AclBinding,
  type AclFilter,
  type AclResult,
  type AdminListGroupsResponse,
  type AdminListTransactionsResponse,
  AdminService,
  type Agent,
  type ClientQuota,
  type ClusterView,
  type CommitOffsetsResponse,
  ConfigOp_Kind,
  type DeletedAcls,
  type DescribedTransaction,
  type GroupView,
  type OffsetAnswer,
  type ScramCredential,
  type ScramDeletion,
  type SecuritySettings,
  type SecurityState,
  type TopicResult,
  type TopicView,
  type UserScramResult,
} from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import { callUnavailable } from './call-unavailable.ts';
import { createOwnerTransport, type Method, type OwnerTransportOptions } from './owner-transport.ts';
import { uuidOf } from './uuid-of.ts';

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

/** Part of a list: the first entries after a key. Fewer come only when the list ends. */
export interface Page {
  /** The entry with this key may be gone. Undefined: from the start. */
  after: string | undefined;
  /** Number of entries, from 1 to `LONGEST_PAGE`. */
  limit: number;
}

/** The most entries that the metadata service puts into a page. */
export const LONGEST_PAGE = 1_000;

/** Groups as they are at a time of the owner's clock, in milliseconds since the Unix epoch. */
export interface GroupsNow {
  groups: GroupView[];
  atMs: number;
}

/** A page of transactional producers; `after` is a transactional id. */
export interface TransactionPage extends Page {
  /** When the transaction of `after` began, in milliseconds since the Unix epoch; null if none was open. */
  afterStartedAtMs: number | null;
  /** Kafka's names; all if empty. */
  states: readonly string[];
}

export interface TransactionsNow {
  transactions: DescribedTransaction[];
  /** By topic id, as UUID text: the topics of their partitions. */
  topicNames: ReadonlyMap<string, string>;
}

/** The calls to the metadata service that use-cases need. */
export interface MetadataAdmin {
  getClusterView(clusterId: string, signal?: AbortSignal): Promise<ClusterView>;
  /** The view now and after each change, at most once a second, until the signal aborts or the owner goes away. */
  watchClusterView(clusterId: string, signal: AbortSignal): AsyncIterable<ClusterView>;
  /** Topics by name, in the order of their UTF-16 code units. */
  listTopics(clusterId: string, page: Page): Promise<TopicView[]>;
  findTopic(clusterId: string, name: string): Promise<TopicView | undefined>;
  /** Groups by id, in the order of their UTF-16 code units. */
  listGroups(clusterId: string, page: Page): Promise<GroupsNow>;
  findGroup(clusterId: string, groupId: string): Promise<GroupsNow>;
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
  /** Transactional producers: the longest open transaction first, those without an open one last, by id. */
  listTransactions(clusterId: string, page: TransactionPage): Promise<TransactionsNow>;
  findTransaction(clusterId: string, transactionalId: string): Promise<TransactionsNow>;
  /**
   * Aborts an open transaction and fences its producer.
   * @param actor who asks, for the service's log
   * @returns Kafka's error code: 0, TRANSACTIONAL_ID_NOT_FOUND (105), or INVALID_TXN_STATE (48) when none is open
   */
  abortTransaction(clusterId: string, actor: string, transactionalId: string): Promise<number>;
  /** Agents in the order of their ids. */
  listAgents(clusterId: string, page: Page): Promise<Agent[]>;
  /** The credentials of users by name, without salts and keys. The page counts users. */
  listUsers(clusterId: string, page: Page): Promise<ScramCredential[]>;
  /** ACLs in the order of `aclKey`. */
  listAcls(clusterId: string, page: Page): Promise<AclBinding[]>;
  /** Quotas in the order of `quotaKey`. */
  listQuotas(clusterId: string, page: Page): Promise<ClientQuota[]>;
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
  /** Closes all open connections. */
  close(): void;
}

export type MetadataAdminOptions = Pick<OwnerTransportOptions, 'urls' | 'keys' | 'nowMs' | 'tls'>;

const CALL_TIMEOUT_MS = 5_000;

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

/** Creates the client. Connects with the first call. */
export function createMetadataAdmin(options: MetadataAdminOptions): MetadataAdmin {
  const { transport, close } = createOwnerTransport({ ...options, callTimeoutMs: CALL_TIMEOUT_MS, explain });
  const client = createClient(AdminService, transport);

  return {
    getClusterView: (clusterId, signal) => client.getClusterView({ clusterId }, signal === undefined ? {} : { signal }),

    async *watchClusterView(clusterId, signal) {
      try {
        yield* client.watchClusterView({ clusterId }, { signal });
      } catch (error) {
        if (!signal.aborted) {
          throw error;
        }
      }
    },

    listTopics: async (clusterId, page) =>
      (await client.adminListTopics({ clusterId, page: pageMessage(page) })).topics,

    findTopic: async (clusterId, name) => (await client.adminListTopics({ clusterId, name })).topics[0],

    listGroups: async (clusterId, page) =>
      groupsNow(await client.adminListGroups({ clusterId, page: pageMessage(page) })),

    findGroup: async (clusterId, groupId) => groupsNow(await client.adminListGroups({ clusterId, groupId })),

    createTopics: async (clusterId, topics) => {
      const answer = await client.adminCreateTopics({ clusterId, request: { topics, validateOnly: false } });
      return answer.results;
    },

    deleteTopics: async (clusterId, names) => {
      const answer = await client.adminDeleteTopics({ clusterId, request: { names } });
      return answer.results;
    },

    alterConfigs: async (clusterId, topic, changes) => {
      const ops = changes.map(({ name, value }) =>
        value === null ? { kind: ConfigOp_Kind.DELETE, name } : { kind: ConfigOp_Kind.SET, name, value },
      );
      const request = { topics: [{ name: topic, ops }], validateOnly: false };
      return (await client.adminAlterConfigs({ clusterId, request })).results;
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
      return client.adminCommitOffsets({ clusterId, request });
    },

    deleteGroups: async (clusterId, groupIds) => {
      const answer = await client.adminDeleteGroups({ clusterId, request: { groupIds } });
      return answer.errorCodes;
    },

    offsetsAtTime: async (clusterId, topicId, partitions, timeMs) => {
      const queries = Array.from({ length: partitions }, (_, partition) => ({
        topicId,
        partition,
        timestampMs: BigInt(timeMs),
      }));
      return (await client.adminListOffsets({ clusterId, request: { queries } })).answers;
    },

    listTransactions: async (clusterId, { states, afterStartedAtMs, ...page }) =>
      transactionsNow(
        await client.adminListTransactions({
          clusterId,
          page: pageMessage(page),
          afterStartedAtMs: BigInt(afterStartedAtMs ?? -1),
          states: [...states],
        }),
      ),

    findTransaction: async (clusterId, transactionalId) =>
      transactionsNow(await client.adminListTransactions({ clusterId, transactionalId })),

    abortTransaction: async (clusterId, actor, transactionalId) => {
      const request = { transactionalId, producerId: -1n, actor };
      return (await client.adminAbortTransaction({ clusterId, request })).errorCode;
    },

    listAgents: async (clusterId, page) =>
      (await client.adminListAgents({ clusterId, page: pageMessage(page) })).agents,

    listUsers: async (clusterId, page) =>
      (await client.adminListUsers({ clusterId, page: pageMessage(page) })).credentials,

    listAcls: async (clusterId, page) => (await client.adminListAcls({ clusterId, page: pageMessage(page) })).acls,

    listQuotas: async (clusterId, page) =>
      (await client.adminListQuotas({ clusterId, page: pageMessage(page) })).quotas,

    describeSecurity: async (clusterId) => stateOf((await client.adminDescribeSecurity({ clusterId })).state),

    alterUsers: async (clusterId, actor, { upserts, deletions }) => {
      const request = { actor, upserts, deletions };
      return (await client.adminAlterUserScramCredentials({ clusterId, request })).results;
    },

    createAcls: async (clusterId, actor, bindings) =>
      (await client.adminCreateAcls({ clusterId, request: { actor, bindings } })).results,

    deleteAcls: async (clusterId, actor, filters) =>
      (await client.adminDeleteAcls({ clusterId, request: { actor, filters } })).results,

    alterQuota: async (clusterId, actor, { user, clientId, ops }) => {
      const alteration = {
        ...(user !== undefined && { user }),
        ...(clientId !== undefined && { clientId }),
        ops: ops.map(({ key, value }) => ({ key, ...(value !== null && { value }) })),
      };
      const request = { actor, alterations: [alteration], validateOnly: false };
      return (await client.adminAlterClientQuotas({ clusterId, request })).results[0];
    },

    updateSecuritySettings: async (clusterId, settings, expectedVersion) => {
      const request = { clusterId, settings, expectedVersion: BigInt(expectedVersion) };
      return stateOf((await client.adminUpdateSecuritySettings(request)).state);
    },

    close,
  };
}

function pageMessage({ after, limit }: Page) {
  return { ...(after !== undefined && { after }), limit };
}

function groupsNow({ groups, atMs }: AdminListGroupsResponse): GroupsNow {
  return { groups, atMs: Number(atMs) };
}

function transactionsNow({ transactions, topicNames }: AdminListTransactionsResponse): TransactionsNow {
  return { transactions, topicNames: new Map(topicNames.map(({ topicId, name }) => [uuidOf(topicId), name])) };
}

function stateOf(state: SecurityState | undefined): SecurityState {
  if (state === undefined) {
    throw new Error('The metadata service answered without a state.');
  }
  return state;
}

/** Translates an error of the owner, or of the search for it, into an AppError. */
function explain(error: ConnectError, method: Method): AppError {
  switch (error.code) {
    case Code.Unimplemented:
      return callUnavailable(method.name, error);
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
        remedy: 'Give both the same PENSTOCK_ADMIN_KEYS, and the same database: its clock dates the tokens.',
        cause: error,
      });
    default:
      return unavailable(error);
  }
}
