// Journal format of the commands about transactions.
import type {
  AbortTransaction,
  AddToTransaction,
  CommitTransactionOffsets,
  EndTransaction,
  ExpireTransactions,
  InitTransactionalProducer,
} from '../model/transactions.types.ts';
import { boolean, type Field, list, looseId, nullable, record, signed, text, unsigned } from './field.ts';
import { offsetsToCommitCodec } from './group-commands.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

export const initTransactionalProducerCodec: Body<InitTransactionalProducer> = record({
  transactionalId: text,
  producerId: signed,
  producerEpoch: signed,
  timeoutMs: unsigned,
  clientId: text,
  agentId: text,
});

export const addToTransactionCodec: Body<AddToTransaction> = record({
  transactionalId: text,
  producerId: signed,
  producerEpoch: signed,
  partitions: list(record({ topicId: looseId, partition: unsigned })),
  groupIds: list(text),
});

export const commitTransactionOffsetsCodec: Body<CommitTransactionOffsets> = record({
  transactionalId: text,
  producerId: signed,
  producerEpoch: signed,
  addsGroup: boolean,
  groupId: text,
  generationId: signed,
  memberId: text,
  groupInstanceId: nullable(text),
  offsets: offsetsToCommitCodec,
});

export const endTransactionCodec: Body<EndTransaction> = record({
  transactionalId: text,
  producerId: signed,
  producerEpoch: signed,
  isCommit: boolean,
  bumpsEpoch: boolean,
});

export const abortTransactionCodec: Body<AbortTransaction> = record({ transactionalId: text, producerId: signed });

export const expireTransactionsCodec: Body<ExpireTransactions> = record({});
