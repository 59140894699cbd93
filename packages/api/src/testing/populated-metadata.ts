// A metadata service that has something in every cluster.
import { emptyView, quietMetadata } from './installation.ts';

const topic = {
  topicId: new Uint8Array(16),
  name: 'greetings',
  partitions: 1,
  createdAtMs: 0n,
  configs: [],
  storedBytes: [],
};
const group = {
  groupId: 'group',
  groupType: 'Classic',
  state: 'Empty',
  protocolType: '',
  protocolName: '',
  errorCode: 0,
  errorMessage: '',
  members: [],
};
const transaction = {
  errorCode: 0,
  transactionalId: 'transaction',
  state: 'Empty',
  producerId: 1n,
  producerEpoch: 0,
  timeoutMs: 60_000,
  startedAtMs: -1n,
  partitions: [],
  groupIds: [],
  clientId: '',
  agentId: '',
  updatedAtMs: 0n,
};
const agent = {
  agentId: 'agent-1',
  nodeId: 1,
  zone: '',
  version: '0.1.0',
  advertisedHost: '10.0.0.7',
  advertisedPort: 9092,
  registeredAtMs: 0n,
  lastSeenMs: 0n,
  alive: true,
  bucket: 's3://acme',
  messageBrowserUrl: 'https://records.example.com',
  lost: false,
  internalUrl: '',
  internalKeySha256: new Uint8Array(),
  listeners: [],
};
const topicView = {
  $typeName: 'penstock.metadata.v1.TopicView' as const,
  topic: { $typeName: 'penstock.metadata.v1.Topic' as const, ...topic },
  highWatermark: [1n],
  logStartOffset: [0n],
  storedBytes: [1n],
};
const groupView = {
  $typeName: 'penstock.metadata.v1.GroupView' as const,
  group: { $typeName: 'penstock.metadata.v1.DescribedGroup' as const, ...group },
  offsets: [],
  lagRecords: [],
  firstUnreadMaxTimestampMs: [],
};
const transactionsNow = {
  transactions: [{ $typeName: 'penstock.metadata.v1.DescribedTransaction' as const, ...transaction }],
  topicNames: new Map<string, string>(),
};
/** One agent, one topic, one group and one transactional producer, for every cluster. */
export const populatedMetadata: typeof quietMetadata = {
  ...quietMetadata,
  listTransactions: async () => transactionsNow,
  findTransaction: async () => transactionsNow,
  listAgents: async () => [{ $typeName: 'penstock.metadata.v1.Agent', ...agent }],
  getClusterView: async (clusterId) => ({
    ...emptyView(clusterId),
    agents: [{ $typeName: 'penstock.metadata.v1.Agent', ...agent }],
    topics: [topicView],
    groups: [groupView],
  }),
  listTopics: async () => [topicView],
  findTopic: async (_clusterId, name) => (name === topic.name ? topicView : undefined),
  listGroups: async () => ({ groups: [groupView], atMs: 0 }),
  findGroup: async (_clusterId, groupId) => ({ groups: groupId === group.groupId ? [groupView] : [], atMs: 0 }),
};
