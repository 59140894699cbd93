// Journal format of the changes that Kafka clients made: the number of a change's kind, then its body. Numbers are never reused.
import type { ClientChanges, KafkaChange, KafkaClient } from '../changes/kafka-change.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { groupConfigOpsCodec } from './consumer-group-commands.ts';
import { type Field, list, nullable, record, signed, text, unsigned } from './field.ts';
import { aclBindingCodec, quotaOpCodec } from './security-commands.ts';
import { configCodec, configOpsCodec } from './topic-commands.ts';

type Kind = KafkaChange['kind'];
type Body<K extends Kind> = Omit<Extract<KafkaChange, { kind: K }>, 'kind'>;

const clientCodec: Field<KafkaClient> = record({
  principal: text,
  clientId: text,
  address: text,
  agentId: text,
  agentKeyId: text,
});

const CODECS: { [K in Kind]: { number: number; body: Field<Body<K>> } } = {
  'topic-created': { number: 1, body: record({ name: text, partitions: unsigned, configs: list(configCodec) }) },
  'topic-deleted': { number: 2, body: record({ name: text, partitions: unsigned }) },
  'partitions-added': { number: 3, body: record({ name: text, totalPartitions: unsigned }) },
  'configs-altered': { number: 4, body: record({ name: text, ops: configOpsCodec }) },
  'credential-put': {
    number: 10,
    body: record({ user: text, mechanism: signed, iterations: unsigned, expiresAtMs: signed }),
  },
  'credential-deleted': { number: 11, body: record({ user: text, mechanism: signed }) },
  'acls-created': { number: 12, body: record({ acls: list(aclBindingCodec) }) },
  'acls-deleted': { number: 13, body: record({ acls: list(aclBindingCodec) }) },
  'quota-altered': {
    number: 14,
    body: record({ user: nullable(text), clientId: nullable(text), ops: list(quotaOpCodec) }),
  },
  'group-deleted': { number: 20, body: record({ groupId: text }) },
  'group-configs-altered': { number: 21, body: record({ groupId: text, ops: groupConfigOpsCodec }) },
  'client-metrics-altered': { number: 22, body: record({ name: text, ops: configOpsCodec }) },
  'transaction-aborted': { number: 23, body: record({ transactionalId: text }) },
  'cluster-defaults-altered': { number: 24, body: record({ maxUncompressedBatchBytes: unsigned }) },
};

const KINDS: ReadonlyMap<number, Kind> = new Map(
  (Object.keys(CODECS) as Kind[]).map((kind) => [CODECS[kind].number, kind]),
);

const bodyOf = (kind: Kind): Field<Omit<KafkaChange, 'kind'>> => CODECS[kind].body as Field<Omit<KafkaChange, 'kind'>>;

const changeCodec: Field<KafkaChange> = {
  write: (to, change) => {
    to.byte(CODECS[change.kind].number);
    bodyOf(change.kind).write(to, change);
  },
  read: (from) => {
    const number = from.byte();
    const kind = KINDS.get(number);
    if (kind === undefined) {
      throw new CorruptDataError(`no change has the number ${number}: was this written by a later version?`);
    }
    return { kind, ...bodyOf(kind).read(from) } as KafkaChange;
  },
};

export const clientChangesCodec: Field<ClientChanges[]> = list(
  record<ClientChanges>({ client: clientCodec, changes: list(changeCodec) }),
);
