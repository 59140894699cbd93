// Virtual clusters: clusters, agent keys, topics, groups, live views, telemetry, health and events.

export type { ClientQuota, ClusterUser, SecuritySettings } from './access/access-messages.ts';
export { type CreatedAcls, createAcls } from './access/create-acls.ts';
export { deleteAcls } from './access/delete-acls.ts';
export { deleteUser } from './access/delete-user.ts';
export { getSecuritySettings } from './access/get-security-settings.ts';
export { keyOfAcl, listAcls } from './access/list-acls.ts';
export { type DeniedRequests, listDeniedRequests } from './access/list-denied-requests.ts';
export { keyOfQuota, listQuotas } from './access/list-quotas.ts';
export { listUsers } from './access/list-users.ts';
export { putUserCredential } from './access/put-user-credential.ts';
export { setQuota } from './access/set-quota.ts';
export { updateSecuritySettings } from './access/update-security-settings.ts';
export { type AgentAddress, agentAddressStates } from './agent-key/agent-address.ts';
export { type AgentKey, agentKeyColumns } from './agent-key/agent-key.ts';
export { announceAgentAccess } from './agent-key/announce-agent-access.ts';
export { auditKeyDeeds } from './agent-key/audit-key-deeds.ts';
export { clusterOfAgentKey } from './agent-key/cluster-of-agent-key.ts';
export { confirmAgentAddress } from './agent-key/confirm-agent-address.ts';
export { type CreatedAgentKey, createAgentKey } from './agent-key/create-agent-key.ts';
export { listAgentAddresses } from './agent-key/list-agent-addresses.ts';
export { listAgentKeys } from './agent-key/list-agent-keys.ts';
export { removeAgentAddress } from './agent-key/remove-agent-address.ts';
export { revokeAgentKey } from './agent-key/revoke-agent-key.ts';
export { updateAgentKey } from './agent-key/update-agent-key.ts';
export { clustersAudit } from './audit-actions.ts';
export { auditClientChanges } from './client-change/audit-client-changes.ts';
export {
  type Cluster,
  type ClusterMode,
  clusterColumns,
  findCluster,
  lockCluster,
  RESTORE_WINDOW_MS,
} from './cluster/cluster.ts';
export { type ClusterModeOffer, clusterModeOffers } from './cluster/cluster-modes.ts';
export {
  type LiveAgent,
  type LiveClusterView,
  type LiveGroup,
  type LiveGroupMember,
  type LiveGroupOffset,
  type LivePartition,
  type LiveThroughputPoint,
  type LiveTopic,
  toLiveClusterView,
} from './cluster/cluster-view.ts';
export { createCluster, type NewCluster } from './cluster/create-cluster.ts';
export { deleteCluster } from './cluster/delete-cluster.ts';
export { getCluster } from './cluster/get-cluster.ts';
export { listAgents } from './cluster/list-agents.ts';
export { listClusters, listDeletedClusters } from './cluster/list-clusters.ts';
export type { TopicPartitions } from './cluster/member-assignment.ts';
export { type ClusterModePreview, previewClusterModes } from './cluster/preview-cluster-modes.ts';
export { restoreCluster } from './cluster/restore-cluster.ts';
export { type ClusterChange, updateCluster } from './cluster/update-cluster.ts';
export { viewCluster } from './cluster/view-cluster.ts';
export { type CloudEvent, clusterEventTypes } from './event/cluster-event.ts';
export { type EventPage, listEvents } from './event/list-events.ts';
export { deleteGroup } from './group/delete-group.ts';
export { getGroup, listGroups } from './group/list-groups.ts';
export {
  type OffsetsPreview,
  previewResetOffsets,
  type ResetOffsetsInput,
  type ResetTarget,
  resetOffsets,
} from './group/reset-offsets.ts';
export { chooseRecipient } from './health/choose-recipient.ts';
export { clusterOfSilence } from './health/cluster-of-silence.ts';
export { createSilence, LONGEST_SILENCE_MS } from './health/create-silence.ts';
export { endSilence } from './health/end-silence.ts';
export { expireHealth } from './health/expire-health.ts';
export { exportMetrics } from './health/export-metrics.ts';
export {
  type ClusterHealth,
  getClusterHealth,
  type HealthLevel,
  type OpenFinding,
} from './health/get-cluster-health.ts';
export { type CheckOutcome, HealthWatch, type HealthWatchOptions } from './health/health-watch.ts';
export { type ClusterHealthLevel, listClusterHealth } from './health/list-cluster-health.ts';
export { listSilences } from './health/list-silences.ts';
export type { Silence } from './health/silence.ts';
export type {
  LiveAgentRow,
  LiveGroupRow,
  LivePart,
  LivePartData,
  LivePartKind,
  LiveSummary,
  LiveTopicConsumer,
  LiveTopicRow,
} from './live/live-parts.ts';
export { createLiveState, type LiveState, type LiveUpdate, type WatchedKind } from './live/live-state.ts';
export { type AdminTlsFiles, adminKeysVariable, adminTlsFiles, adminTlsVariables } from './metadata/admin-tls.ts';
export { databaseTime } from './metadata/database-time.ts';
export { createMetadataAdmin, type MetadataAdmin } from './metadata/metadata-admin.ts';
export { listPurgeableClusters, type PurgeOutcome, purgeCluster } from './purge/purge-cluster.ts';
export { DEFAULT_MAX_POINTS, GREATEST_MAX_POINTS } from './telemetry/choose-range.ts';
export { getAgentDiagnosis } from './telemetry/get-agent-diagnosis.ts';
export {
  type AgentReading,
  type AgentReadingsInput,
  type LatencyReading,
  latestAgentReadings,
} from './telemetry/latest-agent-readings.ts';
export {
  type ClientList,
  type ClientSeries,
  type ClientSummary,
  listClients,
  queryClientSeries,
} from './telemetry/query-clients.ts';
export {
  type ClusterMetrics,
  type ClusterSeries,
  type ClusterSeriesInput,
  MAX_AGENTS,
  queryClusterMetrics,
  queryClusterSeries,
} from './telemetry/query-cluster-series.ts';
export { type OrganizationThroughput, queryOrganizationThroughput } from './telemetry/query-organization-throughput.ts';
export { type AgentFigures, sharedAgentFigures } from './telemetry/shared-agent-figures.ts';
export { sharedAgentReadings } from './telemetry/shared-agent-readings.ts';
export { alterTopicConfigs } from './topic/alter-topic-configs.ts';
export { type BrowseTokenSigner, createBrowseTokenSigner } from './topic/browse-tokens.ts';
export { type BrowseToken, createBrowseToken } from './topic/create-browse-token.ts';
export { createTopic, type NewTopic } from './topic/create-topic.ts';
export { deleteTopic } from './topic/delete-topic.ts';
export { getTopic, listTopics } from './topic/list-topics.ts';
export { listTopicConfigs, type TopicConfigRow } from './topic-config/list-topic-configs.ts';
export { abortTransaction } from './transaction/abort-transaction.ts';
export { getTransaction, keyOfTransaction, listTransactions } from './transaction/list-transactions.ts';
export type { Transaction } from './transaction/transaction.ts';
export type { TransactionState } from './transaction/transaction-state.ts';
