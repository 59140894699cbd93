// The state machine: one command, one outcome. Lists the commands; each has its own file.

import { abortTransaction } from './commands/abort-transaction.ts';
import { addToTransaction } from './commands/add-to-transaction.ts';
import { agentLeft } from './commands/agent-left.ts';
import { alterClientMetrics } from './commands/alter-client-metrics.ts';
import { alterClientQuotas } from './commands/alter-client-quotas.ts';
import { alterConfigs } from './commands/alter-configs.ts';
import { alterGroupConfigs } from './commands/alter-group-configs.ts';
import { alterUserScramCredentials } from './commands/alter-user-scram-credentials.ts';
import { commitFile } from './commands/commit-file.ts';
import { commitOffsets } from './commands/commit-offsets.ts';
import { commitTransactionOffsets } from './commands/commit-transaction-offsets.ts';
import { consumerGroupHeartbeat } from './commands/consumer-group-heartbeat.ts';
import { createAcls } from './commands/create-acls.ts';
import { createPartitions } from './commands/create-partitions.ts';
import { createTopics } from './commands/create-topics.ts';
import { deleteAcls } from './commands/delete-acls.ts';
import { deleteGroups } from './commands/delete-groups.ts';
import { deleteOffsets } from './commands/delete-offsets.ts';
import { deleteRecords } from './commands/delete-records.ts';
import { deleteTopics } from './commands/delete-topics.ts';
import { confirmDeletions, takeDeletions } from './commands/deletions.ts';
import { endTransaction } from './commands/end-transaction.ts';
import { expireMembers } from './commands/expire-members.ts';
import { expireOffsets } from './commands/expire-offsets.ts';
import { expireRetention } from './commands/expire-retention.ts';
import { expireRuns } from './commands/expire-runs.ts';
import { expireTransactions } from './commands/expire-transactions.ts';
import { groupDeadline } from './commands/group-deadline.ts';
import { initProducerId } from './commands/init-producer-id.ts';
import { initTransactionalProducer } from './commands/init-transactional-producer.ts';
import { installTargetAssignment } from './commands/install-target-assignment.ts';
import { joinGroup } from './commands/join-group.ts';
import { leaveGroup } from './commands/leave-group.ts';
import { minuteMark } from './commands/minute-mark.ts';
import { raiseRulesLevel } from './commands/raise-rules-level.ts';
import { registerAgent } from './commands/register-agent.ts';
import { replaceRuns } from './commands/replace-runs.ts';
import { resolveGroupRegexes } from './commands/resolve-group-regexes.ts';
import { setClockBack } from './commands/set-clock-back.ts';
import { setMaxUncompressedBatchBytes } from './commands/set-max-uncompressed-batch-bytes.ts';
import { setOffsetsRetention } from './commands/set-offsets-retention.ts';
import { syncGroup } from './commands/sync-group.ts';
import { updateSecuritySettings } from './commands/update-security-settings.ts';
import { updateSettings } from './commands/update-settings.ts';
import { CONDITIONS } from './conditions/conditions.ts';
import type { After, Conditions } from './conditions/conditions.types.ts';
import { outlineOf, requireOwnPartsOnly, requireSane } from './conditions/outline.ts';
import { memoryRefusal } from './growth.ts';
import type { Command, CommandKind, CommandOf } from './model/command.ts';
import type { Outcome } from './model/outcome.ts';
import { type ClusterState, countChangedGroups } from './state/cluster-state.ts';

type Handlers = {
  [K in CommandKind]: (state: ClusterState, command: CommandOf<K>, nowMs: number) => Outcome<K>;
};

const HANDLERS: Handlers = {
  'register-agent': registerAgent,
  'agent-left': agentLeft,
  'minute-mark': minuteMark,
  'set-clock-back': setClockBack,
  'update-settings': updateSettings,
  'set-offsets-retention': setOffsetsRetention,
  'set-max-uncompressed-batch-bytes': setMaxUncompressedBatchBytes,
  'raise-rules-level': raiseRulesLevel,
  'create-topics': createTopics,
  'delete-topics': deleteTopics,
  'create-partitions': createPartitions,
  'alter-configs': alterConfigs,
  'commit-file': commitFile,
  'replace-runs': replaceRuns,
  'delete-records': deleteRecords,
  'init-producer-id': initProducerId,
  'expire-retention': (state, _command, nowMs) => expireRetention(state, nowMs),
  'expire-runs': expireRuns,
  'take-deletions': takeDeletions,
  'confirm-deletions': confirmDeletions,
  'join-group': joinGroup,
  'group-deadline': groupDeadline,
  'sync-group': syncGroup,
  'leave-group': leaveGroup,
  'expire-members': expireMembers,
  'commit-offsets': commitOffsets,
  'delete-offsets': deleteOffsets,
  'delete-groups': deleteGroups,
  'expire-offsets': (state, _command, nowMs) => expireOffsets(state, nowMs),
  'consumer-group-heartbeat': consumerGroupHeartbeat,
  'install-target-assignment': installTargetAssignment,
  'resolve-group-regexes': resolveGroupRegexes,
  'alter-group-configs': alterGroupConfigs,
  'init-transactional-producer': initTransactionalProducer,
  'add-to-transaction': addToTransaction,
  'commit-transaction-offsets': commitTransactionOffsets,
  'end-transaction': endTransaction,
  'abort-transaction': abortTransaction,
  'expire-transactions': (state, _command, nowMs) => expireTransactions(state, nowMs),
  'alter-client-metrics': alterClientMetrics,
  'alter-user-scram-credentials': alterUserScramCredentials,
  'create-acls': createAcls,
  'delete-acls': deleteAcls,
  'alter-client-quotas': alterClientQuotas,
  'update-security-settings': updateSecuritySettings,
};

/**
 * Applies one command at one time (milliseconds since the Unix epoch) and returns its outcome. Changes the state in place, and leaves it
 * untouched when the outcome has `changed: false`. Refusals are values in the answer.
 * @throws InvariantError when the state machine itself is wrong; the state must not be used after that.
 */
export function apply<K extends CommandKind>(
  state: ClusterState,
  command: CommandOf<K> & { kind: K },
  nowMs: number,
): Outcome<K>;
export function apply(state: ClusterState, command: Command, nowMs: number): Outcome<CommandKind> {
  const handler = HANDLERS[command.kind] as (
    state: ClusterState,
    command: Command,
    nowMs: number,
  ) => Outcome<CommandKind>;
  const refused = memoryRefusal(state, command);
  if (refused !== null) {
    return refused;
  }
  requireSane(state, nowMs);
  const before = outlineOf(state);
  const conditions = CONDITIONS[command.kind] as (...args: Parameters<Conditions<CommandKind>>) => After<CommandKind>;
  const requireAfter = conditions(before, state, command, nowMs);
  const outcome = handler(state, command, nowMs);
  requireAfter(outcome);
  requireOwnPartsOnly(before, state, command.kind, outcome.changed);
  countChangedGroups(state);
  return outcome;
}
