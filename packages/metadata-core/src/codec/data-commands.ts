// Journal format of the commands about records and files, except CommitFile (commit-file.ts).
import type {
  ConfirmDeletions,
  DeleteRecords,
  ExpireRetention,
  ExpireRuns,
  InitProducerId,
  TakeDeletions,
} from '../model/data.types.ts';
import { type Field, list, looseId, record, signed, unsigned } from './field.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

export const deleteRecordsCodec: Body<DeleteRecords> = record({
  partitions: list(record({ topicId: looseId, partition: unsigned, beforeOffset: signed })),
});

export const initProducerIdCodec: Body<InitProducerId> = record({
  producerId: signed,
  producerEpoch: signed,
  requestId: looseId,
});

export const expireRetentionCodec: Body<ExpireRetention> = record({});

export const expireRunsCodec: Body<ExpireRuns> = record({
  topics: list(record({ topicId: looseId, partitions: list(unsigned) })),
});

export const takeDeletionsCodec: Body<TakeDeletions> = record({ maxFiles: unsigned });

export const confirmDeletionsCodec: Body<ConfirmDeletions> = record({ fileIds: list(looseId) });
