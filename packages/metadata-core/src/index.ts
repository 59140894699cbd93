export { apply } from './apply.ts';
export { changesOf } from './changes/changes-of.ts';
export type * from './changes/kafka-change.ts';
export { decodeEntry, decodeEntryHead, type EntryHead, encodeEntry, type JournalEntry } from './codec/entry.ts';
export { type EntryMeter, meterOf } from './codec/entry-meter.ts';
export { encodeFenceEntry } from './codec/fence-entry.ts';
export { decodeJobPlan, encodeJobPlan, type JobPlan } from './codec/job-plan.ts';
export { decodeSnapshot, encodeSnapshot } from './codec/snapshot.ts';
export { captureSnapshot, type SnapshotCapture } from './codec/snapshot-capture.ts';
export { SnapshotReader } from './codec/snapshot-reader.ts';
export { columnProblem } from './commands/commit-file-checks.ts';
export { transactionDeadlineMs } from './commands/expire-transactions.ts';
export { meteringProblem } from './commands/metering-problem.ts';
export { computeTarget, type TargetSteps } from './consumer-groups/compute-target.ts';
export {
  growthOf,
  type HeldAccount,
  heldAccounts,
  heldBytes,
  type MemoryAccount,
  type MemoryClaim,
  memoryClaim,
  payloadBytes,
  refusedForMemory,
} from './growth.ts';
export { checkState, partChecks, stateChecks } from './invariants/check-state.ts';
export {
  type CompactionTerms,
  type JobMarker,
  MARKER_SOURCE,
  type MergeJob,
  replacementOf,
} from './merging/job-builder.ts';
export { type JobOrder, orderOf, orderProblem } from './merging/job-order.ts';
export { MergePlanner, type Plan } from './merging/merge-planner.ts';
export { MERGE_POLICY, type MergePolicy } from './merging/policy.ts';
export type * from './model/agents.types.ts';
export { InvariantError } from './model/assert.ts';
export type * from './model/command.ts';
export type * from './model/consumer-groups.types.ts';
export { CorruptDataError } from './model/corrupt-data-error.ts';
export type * from './model/data.types.ts';
export { ErrorCode } from './model/error-code.ts';
export type * from './model/groups.types.ts';
export { ID_BYTES, type Id, type IdKey, idFromKey, idKey, isLandedId, sameId, uuidV7TimeMs } from './model/ids.ts';
export * as limits from './model/limits.ts';
export { toSafeInteger } from './model/numbers.ts';
export type {
  AppendedMarker,
  AppendedRuns,
  CatalogueChange,
  Effects,
  GroupEffect,
  Outcome,
  PartitionBounds,
  ReplacedRuns,
} from './model/outcome.ts';
export { isOpenRules, NEWEST_RULES, OLDEST_RULES, type RulesVersion } from './model/rules.ts';
export type {
  AclBinding,
  AclMode,
  AuthenticationRequirement,
  ClientQuota,
  ScramCredential,
  Security,
  SecuritySettings,
} from './model/security.ts';
export { credentialKey } from './model/security.ts';
export type * from './model/security.types.ts';
export { CLUSTER_MODES, type ClusterMode, type ClusterSettings } from './model/settings.ts';
export type * from './model/topics.types.ts';
export type * from './model/transactions.types.ts';
export {
  clusterTotals,
  describeTopics,
  fileCounts,
  knownFiles,
  partitionViews,
  registeredAgents,
  settings,
  topicIdOf,
  topicNamesAfter,
} from './queries/cluster.ts';
export { consumerGroupWork, describeConsumerGroups, describeGroupConfigs } from './queries/consumer-groups.ts';
export { expiryDue } from './queries/expiry-due.ts';
export { firstUnreadMaxTimestampMs } from './queries/first-unread.ts';
export {
  allCommittedOffsets,
  describeAnyGroup,
  describeGroups,
  fetchOffsets,
  GroupFilter,
  groupIdsAfter,
  groupTimers,
  heartbeat,
  listGroups,
  offsetFetchRefusal,
  sessionTimeoutMs,
} from './queries/groups.ts';
export { listOffsets } from './queries/list-offsets.ts';
export { locate, partitionBounds } from './queries/locate.ts';
export type * from './queries/queries.types.ts';
export { describeSecurity, type SecurityDescription } from './queries/security.ts';
export {
  describeProducers,
  describeTransactions,
  listTransactions,
  transactionalIdsAfter,
  verifyInTransaction,
} from './queries/transactions.ts';
export { ReplayedCommandBroke, replayEntry } from './replay.ts';
export { AclOperation, AclPermission, PatternType, ResourceType } from './security/acl-numbers.ts';
export { type ClusterChange, mayChangeCluster } from './security/cluster-rights.ts';
export { ScramMechanism } from './security/scram-rules.ts';
export { topicVisibility } from './security/topic-visibility.ts';
export { type ClusterState, createState } from './state/cluster-state.ts';
export { consumerTimings } from './state/group-configs.ts';
export { memoryBytes, type StateMemory } from './state/memory.ts';
export type { AbortedTransaction } from './state/partition.types.ts';
export type { TransactionPlace } from './state/transactions.ts';
export { clusterDefaultsAfter } from './topics/cluster-defaults.ts';
