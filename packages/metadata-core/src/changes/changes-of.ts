// What a command changed, for the audit log: only what was accepted, from the command and its outcome.
import type { AnswerByKind, Command, CommandKind, CommandOf } from '../model/command.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { Effects, Outcome } from '../model/outcome.ts';
import type { TopicDescription } from '../model/topics.types.ts';
import type { KafkaChange } from './kafka-change.ts';

type Reader<K extends CommandKind> = (
  command: CommandOf<K>,
  answer: AnswerByKind[K],
  effects: Effects,
) => KafkaChange[];

const isAccepted = (result: { errorCode: number } | undefined): boolean => result?.errorCode === ErrorCode.NONE;

const changedTopics = ({ catalogue }: Effects): readonly TopicDescription[] => catalogue?.topics ?? [];

/**
 * Kinds that are not listed are not in the audit log. Clients delete records, commit offsets and join groups all the time: Kafka Streams
 * deletes records of its repartition topics every few seconds. The service logs hourly counts of deletions of records, and of offsets
 * committed from outside their groups.
 */
const READERS: { [K in CommandKind]?: Reader<K> } = {
  'create-topics': (_command, _answer, effects) =>
    changedTopics(effects).map(({ name, partitions, configs }) => ({
      kind: 'topic-created',
      name,
      partitions,
      configs,
    })),
  'delete-topics': (_command, { results }) =>
    results.flatMap(({ topic }) =>
      topic === null ? [] : [{ kind: 'topic-deleted', name: topic.name, partitions: topic.partitions }],
    ),
  'create-partitions': (_command, _answer, effects) =>
    changedTopics(effects).map(({ name, partitions }) => ({
      kind: 'partitions-added',
      name,
      totalPartitions: partitions,
    })),
  'alter-configs': ({ topics }, { results }, effects) => {
    const altered = new Set(changedTopics(effects).map(({ name }) => name));
    return topics
      .filter(({ name }, at) => isAccepted(results[at]) && altered.has(name))
      .map(({ name, ops }) => ({ kind: 'configs-altered', name, ops }));
  },
  'alter-user-scram-credentials': ({ upserts, deletions }, { results }) => {
    const accepted = new Set(results.filter(isAccepted).map(({ user }) => user));
    return [
      ...upserts
        .filter(({ user }) => accepted.has(user))
        .map(({ user, mechanism, iterations, expiresAtMs }) => {
          return { kind: 'credential-put' as const, user, mechanism, iterations, expiresAtMs };
        }),
      ...deletions
        .filter(({ user }) => accepted.has(user))
        .map(({ user, mechanism }) => ({ kind: 'credential-deleted' as const, user, mechanism })),
    ];
  },
  'create-acls': ({ bindings }, { results }) => [
    { kind: 'acls-created', acls: bindings.filter((_binding, at) => isAccepted(results[at])) },
  ],
  // Several filters can match the same ACL.
  'delete-acls': (_command, { results }) => [
    { kind: 'acls-deleted', acls: [...new Set(results.flatMap(({ deleted }) => deleted))] },
  ],
  'alter-client-quotas': ({ alterations }, { results }) =>
    alterations
      .filter((_alteration, at) => isAccepted(results[at]))
      .map(({ user, clientId, ops }) => ({ kind: 'quota-altered', user, clientId, ops })),
  'delete-groups': ({ groupIds }, { errorCodes }) =>
    groupIds
      .filter((_groupId, at) => errorCodes[at] === ErrorCode.NONE)
      .map((groupId) => ({ kind: 'group-deleted', groupId })),
  'alter-group-configs': ({ groups }, { results }) =>
    groups
      .filter((_group, at) => isAccepted(results[at]))
      .map(({ groupId, ops }) => ({ kind: 'group-configs-altered', groupId, ops })),
  'alter-client-metrics': ({ subscriptions }, { results }) =>
    subscriptions
      .filter((_subscription, at) => isAccepted(results[at]))
      .map(({ name, ops }) => ({ kind: 'client-metrics-altered', name, ops })),
  'abort-transaction': ({ transactionalId }, answer) =>
    isAccepted(answer) ? [{ kind: 'transaction-aborted', transactionalId }] : [],
  'set-max-uncompressed-batch-bytes': ({ bytes }) => [
    { kind: 'cluster-defaults-altered', maxUncompressedBatchBytes: bytes },
  ],
};

/** The changes of a command. One that changed nothing has none. */
export function changesOf(command: Command, { changed, answer, effects }: Outcome<CommandKind>): KafkaChange[] {
  const read = READERS[command.kind] as Reader<CommandKind> | undefined;
  return changed && read !== undefined ? read(command, answer, effects) : [];
}
