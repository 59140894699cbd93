// A fake metadata service: topics by name, and a switch that makes it unreachable.
import { create } from '@bufbuild/protobuf';
import {
  AclBindingSchema,
  ClientQuotaSchema,
  type ClusterView,
  ClusterViewSchema,
  CommitOffsetsResponseSchema,
  type DescribedTransaction,
  DescribedTransactionSchema,
  type GroupView,
  GroupViewSchema,
  OffsetAnswerSchema,
  ScramCredentialSchema,
  TopicResultSchema,
  type TopicView,
  TopicViewSchema,
} from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import type { MetadataAdmin, OffsetToSet, Page } from '../metadata/metadata-admin.ts';
import { createFakeSecurity, type FakeSecurity } from './fake-security.ts';

export interface FakeMetadata extends MetadataAdmin {
  readonly topics: Set<string>;
  /** Configs set on topics, by topic and config name. */
  readonly configs: Map<string, string | null>;
  /** By group. Every topic has two partitions with records 3 to 10 and 0 to 7, and the first is committed at 5. */
  readonly groups: Map<string, { members: number; set: OffsetToSet[] }>;
  /** Transactional producers, by transactional id. */
  readonly transactions: Map<string, DescribedTransaction>;
  /** The topics of their partitions, by id. */
  readonly topicNames: Map<string, string>;
  /** The URLs that its agents advertise, one each; empty if the message browser is off. */
  readonly messageBrowserUrls: string[];
  /** Users, ACLs, quotas and the settings of access control. */
  readonly security: FakeSecurity;
  isDown: boolean;
}

function pageOf(names: Iterable<string>, { after, limit }: Page): string[] {
  return [...names]
    .filter((name) => after === undefined || name > after)
    .sort()
    .slice(0, limit);
}

export function createFakeMetadata(): FakeMetadata {
  const topics = new Set<string>();
  const configs: FakeMetadata['configs'] = new Map();
  const groups: FakeMetadata['groups'] = new Map();
  const transactions: FakeMetadata['transactions'] = new Map();
  const topicNames = new Map<string, string>();
  const messageBrowserUrls: string[] = [];
  const security = createFakeSecurity(reach);

  function reach(): void {
    if (!fake.isDown) {
      return;
    }
    throw new AppError({ kind: 'unavailable', code: 'metadata_unavailable', message: 'The metadata service is away.' });
  }

  function topicView(name: string): TopicView {
    const topic = { name, topicId: new Uint8Array(16) };
    return create(TopicViewSchema, { topic, logStartOffset: [3n, 0n], highWatermark: [11n, 8n] });
  }

  function groupView(groupId: string): GroupView {
    const members = Array.from({ length: groups.get(groupId)?.members ?? 0 }, (_, index) => ({
      memberId: `member-${index}`,
    }));
    // One topic stands for all, so that long lists stay small.
    const offsets = [...topics].slice(0, 10).map((topic) => ({ topic, partition: 0, offset: 5n }));
    return create(GroupViewSchema, { group: { groupId, members }, offsets });
  }

  function view(clusterId: string): ClusterView {
    reach();
    return create(ClusterViewSchema, {
      clusterId,
      agents: messageBrowserUrls.map((messageBrowserUrl, index) => ({
        agentId: `agent-${index + 1}`,
        nodeId: index + 1,
        alive: true,
        messageBrowserUrl,
      })),
      topics: [...topics].map(topicView),
      groups: [...groups.keys()].map(groupView),
    });
  }

  const fake: FakeMetadata = {
    topics,
    configs,
    groups,
    transactions,
    topicNames,
    messageBrowserUrls,
    security,
    ...security.calls,
    isDown: false,
    getClusterView: async (clusterId) => view(clusterId),
    async *watchClusterView(clusterId) {
      yield view(clusterId);
    },
    async listTopics(_clusterId, page) {
      reach();
      return pageOf(topics, page).map(topicView);
    },
    async findTopic(_clusterId, name) {
      reach();
      return topics.has(name) ? topicView(name) : undefined;
    },
    async listGroups(_clusterId, page) {
      reach();
      return { groups: pageOf(groups.keys(), page).map(groupView), atMs: 0 };
    },
    async findGroup(_clusterId, groupId) {
      reach();
      return { groups: groups.has(groupId) ? [groupView(groupId)] : [], atMs: 0 };
    },
    async createTopics(_clusterId, wanted) {
      reach();
      return wanted.map(({ name, partitions }) => {
        if (topics.has(name)) {
          return create(TopicResultSchema, { name, errorCode: 36, errorMessage: 'exists' });
        }
        topics.add(name);
        return create(TopicResultSchema, { name, topic: { name, partitions: partitions === -1 ? 12 : partitions } });
      });
    },
    async deleteTopics(_clusterId, names) {
      reach();
      return names.map((name) => create(TopicResultSchema, { name, errorCode: topics.delete(name) ? 0 : 3 }));
    },
    async alterConfigs(_clusterId, topic, changes) {
      reach();
      if (!topics.has(topic)) {
        return [create(TopicResultSchema, { name: topic, errorCode: 3 })];
      }
      for (const { name, value } of changes) {
        configs.set(`${topic} ${name}`, value);
      }
      return [create(TopicResultSchema, { name: topic })];
    },
    async commitOffsets(_clusterId, groupId, offsets) {
      reach();
      const group = groups.get(groupId) ?? { members: 0, set: [] };
      if (group.members > 0) {
        return create(CommitOffsetsResponseSchema, { errorCode: 25 });
      }
      groups.set(groupId, group);
      group.set.push(...offsets);
      return create(CommitOffsetsResponseSchema);
    },
    async deleteGroups(_clusterId, groupIds) {
      reach();
      return groupIds.map((groupId) => {
        const group = groups.get(groupId);
        if (group === undefined) {
          return 69;
        }
        if (group.members > 0) {
          return 68;
        }
        groups.delete(groupId);
        return 0;
      });
    },
    async offsetsAtTime(_clusterId, _topicId, partitions, timeMs) {
      reach();
      // Partition 0 has its second run at offset 6 and one second. No other run is that new.
      return Array.from({ length: partitions }, (_, partition) =>
        create(OffsetAnswerSchema, { offset: partition === 0 && timeMs <= 1_000 ? 6n : -1n }),
      );
    },
    async listTransactions(_clusterId, { after, afterStartedAtMs, limit, states }) {
      reach();
      const placeOf = (startedAtMs: bigint, id: string) =>
        `${startedAtMs < 0n ? '~' : String(startedAtMs).padStart(16, '0')}${id}`;
      const place = after === undefined ? '' : placeOf(BigInt(afterStartedAtMs ?? -1), after);
      const found = [...transactions.values()]
        .filter(({ state }) => states.length === 0 || states.includes(state))
        .map((transaction) => ({
          transaction,
          own: placeOf(transaction.startedAtMs, transaction.transactionalId),
        }))
        .filter(({ own }) => own > place)
        .sort((one, other) => (one.own < other.own ? -1 : 1))
        .slice(0, limit);
      return { transactions: found.map(({ transaction }) => transaction), topicNames };
    },
    async findTransaction(_clusterId, transactionalId) {
      reach();
      const found = transactions.get(transactionalId);
      return { transactions: found === undefined ? [] : [found], topicNames };
    },
    async listAgents(clusterId, page) {
      return view(clusterId)
        .agents.filter(({ agentId }) => agentId > (page.after ?? ''))
        .sort((one, other) => (one.agentId < other.agentId ? -1 : 1))
        .slice(0, page.limit);
    },
    async abortTransaction(_clusterId, _actor, transactionalId) {
      reach();
      const transaction = transactions.get(transactionalId);
      if (transaction?.state !== 'Ongoing') {
        return transaction === undefined ? 105 : 48;
      }
      transactions.set(
        transactionalId,
        create(DescribedTransactionSchema, { transactionalId, state: 'CompleteAbort', startedAtMs: -1n }),
      );
      return 0;
    },
    close: () => undefined,
  };
  return fake;
}

/** Adds a topic, a group, a transactional producer, a user, an ACL and a quota of one name. */
export function addToLists({ topics, groups, transactions, security }: FakeMetadata, name: string): void {
  const { credentials, acls, quotas } = security.state;
  topics.add(name);
  groups.set(name, { members: 0, set: [] });
  transactions.set(
    name,
    create(DescribedTransactionSchema, { transactionalId: name, state: 'Empty', startedAtMs: -1n }),
  );
  credentials.push(create(ScramCredentialSchema, { user: name, mechanism: 1 }));
  acls.push(
    create(AclBindingSchema, {
      resourceType: 2,
      resourceName: name,
      patternType: 3,
      principal: 'User:reader',
      host: '*',
      operation: 3,
      permissionType: 3,
    }),
  );
  quotas.push(create(ClientQuotaSchema, { user: name, producerByteRate: 1 }));
}

export function removeFromLists({ topics, groups, transactions, security }: FakeMetadata, name: string): void {
  const { credentials, acls, quotas } = security.state;
  topics.delete(name);
  groups.delete(name);
  transactions.delete(name);
  security.state = {
    ...security.state,
    credentials: credentials.filter(({ user }) => user !== name),
    acls: acls.filter(({ resourceName }) => resourceName !== name),
    quotas: quotas.filter(({ user }) => user !== name),
  };
}
