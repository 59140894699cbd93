// A command in the journal: the number of its kind, then its body. Numbers are never reused for another kind; 1 and 4 were.
import type { Command, CommandKind, CommandOf } from '../model/command.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import {
  agentLeftCodec,
  minuteMarkCodec,
  raiseRulesLevelCodec,
  registerAgentCodec,
  setClockBackCodec,
  setMaxUncompressedBatchBytesCodec,
  setOffsetsRetentionCodec,
  updateSettingsCodec,
} from './agent-commands.ts';
import { commitFileCodec } from './commit-file.ts';
import {
  alterGroupConfigsCodec,
  consumerGroupHeartbeatCodec,
  installTargetAssignmentCodec,
  resolveGroupRegexesCodec,
} from './consumer-group-commands.ts';
import {
  confirmDeletionsCodec,
  deleteRecordsCodec,
  expireRetentionCodec,
  expireRunsCodec,
  initProducerIdCodec,
  takeDeletionsCodec,
} from './data-commands.ts';
import type { Field } from './field.ts';
import {
  commitOffsetsCodec,
  deleteGroupsCodec,
  deleteOffsetsCodec,
  expireMembersCodec,
  expireOffsetsCodec,
  groupDeadlineCodec,
  joinGroupCodec,
  leaveGroupCodec,
  syncGroupCodec,
} from './group-commands.ts';
import { alterClientMetricsCodec } from './later-settings.ts';
import { replaceRunsCodec } from './replace-runs.ts';
import {
  alterClientQuotasCodec,
  alterUserScramCredentialsCodec,
  createAclsCodec,
  deleteAclsCodec,
  updateSecuritySettingsCodec,
} from './security-commands.ts';
import { alterConfigsCodec, createPartitionsCodec, createTopicsCodec, deleteTopicsCodec } from './topic-commands.ts';
import {
  abortTransactionCodec,
  addToTransactionCodec,
  commitTransactionOffsetsCodec,
  endTransactionCodec,
  expireTransactionsCodec,
  initTransactionalProducerCodec,
} from './transaction-commands.ts';

type CodecTable = { [K in CommandKind]: { number: number; body: Field<Omit<CommandOf<K>, 'kind'>> } };

const CODECS: CodecTable = {
  'register-agent': { number: 8, body: registerAgentCodec },
  'agent-left': { number: 2, body: agentLeftCodec },
  'minute-mark': { number: 3, body: minuteMarkCodec },
  'update-settings': { number: 5, body: updateSettingsCodec },
  'set-clock-back': { number: 6, body: setClockBackCodec },
  'raise-rules-level': { number: 7, body: raiseRulesLevelCodec },
  'create-topics': { number: 10, body: createTopicsCodec },
  'delete-topics': { number: 11, body: deleteTopicsCodec },
  'create-partitions': { number: 12, body: createPartitionsCodec },
  'alter-configs': { number: 13, body: alterConfigsCodec },
  'commit-file': { number: 20, body: commitFileCodec },
  'delete-records': { number: 21, body: deleteRecordsCodec },
  'init-producer-id': { number: 22, body: initProducerIdCodec },
  'expire-retention': { number: 23, body: expireRetentionCodec },
  'take-deletions': { number: 24, body: takeDeletionsCodec },
  'confirm-deletions': { number: 25, body: confirmDeletionsCodec },
  'replace-runs': { number: 26, body: replaceRunsCodec },
  'join-group': { number: 30, body: joinGroupCodec },
  'group-deadline': { number: 31, body: groupDeadlineCodec },
  'sync-group': { number: 32, body: syncGroupCodec },
  'leave-group': { number: 33, body: leaveGroupCodec },
  'expire-members': { number: 34, body: expireMembersCodec },
  'commit-offsets': { number: 35, body: commitOffsetsCodec },
  'delete-offsets': { number: 36, body: deleteOffsetsCodec },
  'delete-groups': { number: 37, body: deleteGroupsCodec },
  'expire-offsets': { number: 38, body: expireOffsetsCodec },
  'init-transactional-producer': { number: 40, body: initTransactionalProducerCodec },
  'add-to-transaction': { number: 41, body: addToTransactionCodec },
  'commit-transaction-offsets': { number: 42, body: commitTransactionOffsetsCodec },
  'end-transaction': { number: 43, body: endTransactionCodec },
  'abort-transaction': { number: 44, body: abortTransactionCodec },
  'expire-transactions': { number: 45, body: expireTransactionsCodec },
  'set-offsets-retention': { number: 9, body: setOffsetsRetentionCodec },
  'alter-client-metrics': { number: 70, body: alterClientMetricsCodec },
  'consumer-group-heartbeat': { number: 60, body: consumerGroupHeartbeatCodec },
  'install-target-assignment': { number: 61, body: installTargetAssignmentCodec },
  'resolve-group-regexes': { number: 62, body: resolveGroupRegexesCodec },
  'alter-group-configs': { number: 63, body: alterGroupConfigsCodec },
  'expire-runs': { number: 27, body: expireRunsCodec },
  'set-max-uncompressed-batch-bytes': { number: 71, body: setMaxUncompressedBatchBytesCodec },
  'alter-user-scram-credentials': { number: 50, body: alterUserScramCredentialsCodec },
  'create-acls': { number: 51, body: createAclsCodec },
  'delete-acls': { number: 52, body: deleteAclsCodec },
  'alter-client-quotas': { number: 53, body: alterClientQuotasCodec },
  'update-security-settings': { number: 54, body: updateSecuritySettingsCodec },
};

interface Reader {
  kind: CommandKind;
  body: { read: Field<unknown>['read'] };
}

const READERS: ReadonlyMap<number, Reader> = new Map(
  (Object.keys(CODECS) as CommandKind[]).map((kind) => [CODECS[kind].number, { kind, body: CODECS[kind].body }]),
);

export const commandCodec: Field<Command> = {
  write: (to, command) => {
    const { number, body } = CODECS[command.kind] as { number: number; body: Field<Omit<Command, 'kind'>> };
    to.byte(number);
    body.write(to, command);
  },
  read: (from) => {
    const number = from.byte();
    const reader = READERS.get(number);
    if (reader === undefined) {
      throw new CorruptDataError(`no command has the number ${number}: was this written by a later version?`);
    }
    return { kind: reader.kind, ...(reader.body.read(from) as object) } as Command;
  },
};
