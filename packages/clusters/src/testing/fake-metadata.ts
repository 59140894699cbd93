// A fake metadata service: topics by name, and a switch that makes it unreachable.
import { create } from '@bufbuild/protobuf';
import {
  type ClusterView,
  ClusterViewSchema,
  CommitOffsetsResponseSchema,
  type DescribedTransaction,
  DescribedTransactionSchema,
  OffsetAnswerSchema,
  TopicResultSchema,
} from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import type { MetadataAdmin, OffsetToSet } from '../metadata/metadata-admin.ts';
import { createFakeSecurity, type FakeSecurity } from './fake-security.ts';

export interface FakeMetadata extends MetadataAdmin {
  readonly topics: Set<string>;
  /** Configs set on topics, by topic and config name. */
  readonly configs: Map<string, string | null>;
  /** By group. Every topic has two partitions with records 3 to 10 and 0 to 7, and the first is committed at 5. */
  readonly groups: Map<string, { members: number; set: OffsetToSet[] }>;
  /** Transactional producers, by transactional id. */
  readonly transactions: Map<string, DescribedTransaction>;
  /** The URLs that its agents advertise, one each; empty if the message browser is off. */
  readonly messageBrowserUrls: string[];
  /** Users, ACLs, quotas and the settings of access control. */
  readonly security: FakeSecurity;
  isDown: boolean;
}

export function createFakeMetadata(): FakeMetadata {
  const topics = new Set<string>();
  const configs: FakeMetadata['configs'] = new Map();
  const groups: FakeMetadata['groups'] = new Map();
  const transactions: FakeMetadata['transactions'] = new Map();
  const messageBrowserUrls: string[] = [];
  const security = createFakeSecurity(reach);

  function reach(): void {
    if (!fake.isDown) {
      return;
    }
    throw new AppError({ kind: 'unavailable', code: 'metadata_unavailable', message: 'The metadata service is away.' });
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
      topics: [...topics].map((name) => ({ topic: { name }, logStartOffset: [3n, 0n], highWatermark: [11n, 8n] })),
      groups: [...groups].map(([groupId, { members }]) => ({
        group: { groupId, members: Array.from({ length: members }, (_, index) => ({ memberId: `member-${index}` })) },
        offsets: [...topics].map((topic) => ({ topic, partition: 0, offset: 5n })),
      })),
    });
  }

  const fake: FakeMetadata = {
    topics,
    configs,
    groups,
    transactions,
    messageBrowserUrls,
    security,
    ...security.calls,
    isDown: false,
    getClusterView: async (clusterId) => view(clusterId),
    async *watchClusterView(clusterId) {
      yield view(clusterId);
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
      const group = groups.get(groupId);
      if (group === undefined || group.members > 0) {
        return create(CommitOffsetsResponseSchema, { errorCode: 25 });
      }
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
    async listTransactions(_clusterId, states) {
      reach();
      return [...transactions.values()].filter(({ state }) => states.length === 0 || states.includes(state));
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
