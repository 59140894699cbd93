// Journal format of the commands about topics.
import type {
  AlterConfigs,
  Config,
  ConfigOp,
  CreatePartitions,
  CreateTopics,
  DeleteTopics,
  NewTopic,
} from '../model/topics.types.ts';
import { boolean, type Field, list, looseId, oneOf, record, signed, text } from './field.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

export const configCodec: Field<Config> = record({ name: text, value: text });

export const createTopicsCodec: Body<CreateTopics> = record({
  topics: list(
    record<NewTopic>({
      name: text,
      topicId: looseId,
      partitions: signed,
      configs: list(configCodec),
    }),
  ),
  validateOnly: boolean,
});

export const deleteTopicsCodec: Body<DeleteTopics> = record({ names: list(text), topicIds: list(looseId) });

export const createPartitionsCodec: Body<CreatePartitions> = record({
  topics: list(record({ name: text, totalPartitions: signed })),
  validateOnly: boolean,
});

export const configOpsCodec: Field<ConfigOp[]> = list(
  record<ConfigOp>({ kind: oneOf(['set', 'delete', 'append', 'subtract']), name: text, value: text }),
);

export const alterConfigsCodec: Body<AlterConfigs> = record({
  topics: list(record({ name: text, ops: configOpsCodec })),
  validateOnly: boolean,
});
