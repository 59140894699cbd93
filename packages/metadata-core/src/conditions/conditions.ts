// The conditions of each command. A command without any does not compile.
import type { CommandKind } from '../model/command.ts';
import * as agents from './agents.ts';
import type { Conditions } from './conditions.types.ts';
import * as files from './files.ts';
import * as groups from './groups.ts';
import { replaceRuns } from './merging.ts';
import { initProducerId } from './producers.ts';
import * as security from './security.ts';
import * as topics from './topics.ts';
import * as transactions from './transactions.ts';

export const CONDITIONS: { readonly [K in CommandKind]: Conditions<K> } = {
  'register-agent': agents.registerAgent,
  'agent-left': agents.agentLeft,
  'minute-mark': agents.minuteMark,
  'set-clock-back': agents.setClockBack,
  'update-settings': agents.updateSettings,
  'set-offsets-retention': agents.setOffsetsRetention,
  'set-max-uncompressed-batch-bytes': agents.setMaxUncompressedBatchBytes,
  'raise-rules-level': agents.raiseRulesLevel,
  'create-topics': topics.createTopics,
  'delete-topics': topics.deleteTopics,
  'create-partitions': topics.createPartitions,
  'alter-configs': topics.alterConfigs,
  'commit-file': files.commitFile,
  'replace-runs': replaceRuns,
  'delete-records': files.deleteRecords,
  'init-producer-id': initProducerId,
  'expire-retention': files.expireRetention,
  'expire-runs': files.expireRuns,
  'take-deletions': files.takeDeletions,
  'confirm-deletions': files.confirmDeletions,
  'join-group': groups.joinGroup,
  'group-deadline': groups.groupDeadline,
  'sync-group': groups.syncGroup,
  'leave-group': groups.leaveGroup,
  'expire-members': groups.expireMembers,
  'commit-offsets': groups.commitOffsets,
  'delete-offsets': groups.deleteOffsets,
  'delete-groups': groups.deleteGroups,
  'expire-offsets': groups.expireOffsets,
  'consumer-group-heartbeat': groups.consumerGroupHeartbeat,
  'install-target-assignment': groups.installTargetAssignment,
  'resolve-group-regexes': groups.resolveGroupRegexes,
  'alter-group-configs': groups.alterGroupConfigs,
  'init-transactional-producer': transactions.initTransactionalProducer,
  'add-to-transaction': transactions.addToTransaction,
  'commit-transaction-offsets': transactions.commitTransactionOffsets,
  'end-transaction': transactions.endTransaction,
  'abort-transaction': transactions.abortTransaction,
  'expire-transactions': transactions.expireTransactions,
  'alter-client-metrics': agents.alterClientMetrics,
  'alter-user-scram-credentials': security.alterUserScramCredentials,
  'create-acls': security.createAcls,
  'delete-acls': security.deleteAcls,
  'alter-client-quotas': security.alterClientQuotas,
  'update-security-settings': security.updateSecuritySettings,
};
