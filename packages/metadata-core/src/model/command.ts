// All commands and their responses. The time is a separate argument; every id and random value is part of the command.
import type * as agents from './agents.types.ts';
import type * as clientMetrics from './client-metrics.types.ts';
import type * as consumerGroups from './consumer-groups.types.ts';
import type * as data from './data.types.ts';
import type * as groups from './groups.types.ts';
import type * as security from './security.types.ts';
import type * as topics from './topics.types.ts';
import type * as transactions from './transactions.types.ts';

export type Command =
  | agents.RegisterAgent
  | agents.AgentLeft
  | agents.MinuteMark
  | agents.SetClockBack
  | agents.UpdateSettings
  | agents.SetOffsetsRetention
  | agents.SetMaxUncompressedBatchBytes
  | agents.RaiseRulesLevel
  | topics.CreateTopics
  | topics.DeleteTopics
  | topics.CreatePartitions
  | topics.AlterConfigs
  | data.CommitFile
  | data.ReplaceRuns
  | data.DeleteRecords
  | data.InitProducerId
  | data.ExpireRetention
  | data.ExpireRuns
  | data.TakeDeletions
  | data.ConfirmDeletions
  | groups.JoinGroup
  | groups.GroupDeadline
  | groups.SyncGroup
  | groups.LeaveGroup
  | groups.ExpireMembers
  | groups.CommitOffsets
  | groups.DeleteOffsets
  | groups.DeleteGroups
  | groups.ExpireOffsets
  | consumerGroups.ConsumerGroupHeartbeat
  | consumerGroups.InstallTargetAssignment
  | consumerGroups.ResolveGroupRegexes
  | consumerGroups.AlterGroupConfigs
  | transactions.InitTransactionalProducer
  | transactions.AddToTransaction
  | transactions.CommitTransactionOffsets
  | transactions.EndTransaction
  | transactions.AbortTransaction
  | transactions.ExpireTransactions
  | clientMetrics.AlterClientMetrics
  | security.AlterUserScramCredentials
  | security.CreateAcls
  | security.DeleteAcls
  | security.AlterClientQuotas
  | security.UpdateSecuritySettings;

export type CommandKind = Command['kind'];
export type CommandOf<K extends CommandKind> = Extract<Command, { kind: K }>;

export interface AnswerByKind {
  'register-agent': agents.RegisterAgentAnswer;
  'agent-left': agents.AgentLeftAnswer;
  'minute-mark': agents.MinuteMarkAnswer;
  'set-clock-back': agents.SetClockBackAnswer;
  'update-settings': agents.UpdateSettingsAnswer;
  'set-offsets-retention': agents.UpdateSettingsAnswer;
  'set-max-uncompressed-batch-bytes': agents.UpdateSettingsAnswer;
  'raise-rules-level': agents.RaiseRulesLevelAnswer;
  'create-topics': topics.TopicResults;
  'delete-topics': topics.TopicResults;
  'create-partitions': topics.TopicResults;
  'alter-configs': topics.TopicResults;
  'commit-file': data.CommitFileAnswer;
  'replace-runs': data.ReplaceRunsAnswer;
  'delete-records': data.DeleteRecordsAnswer;
  'init-producer-id': data.InitProducerIdAnswer;
  'expire-retention': data.ExpireRetentionAnswer;
  'expire-runs': data.ExpireRunsAnswer;
  'take-deletions': data.TakeDeletionsAnswer;
  'confirm-deletions': data.ConfirmDeletionsAnswer;
  'join-group': groups.JoinGroupOutcomeAnswer;
  'group-deadline': groups.GroupDeadlineAnswer;
  'sync-group': groups.SyncGroupOutcomeAnswer;
  'leave-group': groups.LeaveGroupAnswer;
  'expire-members': groups.ExpireMembersAnswer;
  'commit-offsets': groups.CommitOffsetsAnswer;
  'delete-offsets': groups.DeleteOffsetsAnswer;
  'delete-groups': groups.DeleteGroupsAnswer;
  'expire-offsets': groups.ExpireOffsetsAnswer;
  'consumer-group-heartbeat': consumerGroups.ConsumerGroupHeartbeatAnswer;
  'install-target-assignment': consumerGroups.InstallTargetAssignmentAnswer;
  'resolve-group-regexes': consumerGroups.ResolveGroupRegexesAnswer;
  'alter-group-configs': consumerGroups.AlterGroupConfigsAnswer;
  'init-transactional-producer': transactions.TransactionalProducerAnswer;
  'add-to-transaction': transactions.AddToTransactionAnswer;
  'commit-transaction-offsets': groups.CommitOffsetsAnswer;
  'end-transaction': transactions.TransactionalProducerAnswer;
  'abort-transaction': transactions.AbortTransactionAnswer;
  'expire-transactions': transactions.ExpireTransactionsAnswer;
  'alter-client-metrics': clientMetrics.AlterClientMetricsAnswer;
  'alter-user-scram-credentials': security.AlterUserScramCredentialsAnswer;
  'create-acls': security.CreateAclsAnswer;
  'delete-acls': security.DeleteAclsAnswer;
  'alter-client-quotas': security.AlterClientQuotasAnswer;
  'update-security-settings': security.UpdateSecuritySettingsAnswer;
}
