import type { CommandOf } from '@penstock/metadata-core';
import { ErrorCode } from '@penstock/metadata-core';
import { type ConfigOp, ConfigOp_Kind, type MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';

/** Kafka's IncrementalAlterConfigs on resources of type GROUP. */
export const alterGroupConfigs: AgentCall<typeof MetadataService.method.alterGroupConfigs> = async (
  { owner, keyId },
  { groups, validateOnly, client },
) => {
  const lists = groups.map(({ ops }) => ops.find(({ kind }) => !isPlain(kind)));
  const command: CommandOf<'alter-group-configs'> = {
    kind: 'alter-group-configs',
    groups: groups
      .filter((_, at) => lists[at] === undefined)
      .map(({ groupId, ops }) => ({ groupId, ops: ops.map(plainOp) })),
    validateOnly,
  };
  const { results } = await owner.submit(command, kafkaClientOf(keyId, client));
  const rest = results[Symbol.iterator]();
  return {
    results: lists.map((op) =>
      op === undefined
        ? (rest.next().value ?? {})
        : { errorCode: ErrorCode.INVALID_CONFIG, errorMessage: `${op.name.slice(0, 100)} is not a list: set it.` },
    ),
  };
};

function isPlain(kind: ConfigOp_Kind): boolean {
  return kind === ConfigOp_Kind.SET || kind === ConfigOp_Kind.DELETE;
}

function plainOp({ kind, name, value }: ConfigOp): { name: string; value: string | null } {
  return { name, value: kind === ConfigOp_Kind.DELETE ? null : value };
}
