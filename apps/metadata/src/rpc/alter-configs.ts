import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { type ConfigOp, clusterDefaultsAfter, type KafkaClient } from '@penstock/metadata-core';
import {
  type AlterConfigsRequest,
  AlterConfigsResponseSchema,
  ConfigOp_Kind,
  type ConfigOp as ConfigOpMessage,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall, AgentCallContext } from './agent-call.ts';
import { withList } from './long-list.ts';
import { settingsMessage } from './messages/catalogue.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { encodedResults } from './topic-results.ts';

const kinds: ReadonlyMap<ConfigOp_Kind, ConfigOp['kind']> = new Map([
  [ConfigOp_Kind.SET, 'set'],
  [ConfigOp_Kind.DELETE, 'delete'],
  [ConfigOp_Kind.APPEND, 'append'],
  [ConfigOp_Kind.SUBTRACT, 'subtract'],
]);

export const alterConfigs: AgentCall<typeof MetadataService.method.alterConfigs> = async (context, request) => {
  const client = kafkaClientOf(context.keyId, request.client);
  const ops = configOps(request.clusterOps);
  const cluster = ops.length === 0 ? {} : await alterDefaults(context, ops, request.validateOnly, client);
  return await alterConfigsIn(context.owner, request, client, cluster);
};

/** Also used by AdminAlterConfigs. */
export async function alterConfigsIn(
  owner: Owner,
  request: AlterConfigsRequest,
  client?: KafkaClient,
  cluster: MessageInitShape<typeof AlterConfigsResponseSchema> = {},
) {
  const topics = request.topics.map(({ name, ops }) => ({ name, ops: configOps(ops) }));
  const { validateOnly } = request;
  const { results } = await owner.submit({ kind: 'alter-configs', topics, validateOnly }, client);
  return withList(AlterConfigsResponseSchema, cluster, await encodedResults(owner, results));
}

/**
 * Changes the defaults that topics share. They belong to the control plane, which shows them in the dashboard, so it stores them first.
 * Whatever happens then, the owner follows what is stored.
 */
async function alterDefaults(
  { owner, storeMaxUncompressedBatchBytes }: Pick<AgentCallContext, 'owner' | 'storeMaxUncompressedBatchBytes'>,
  ops: readonly ConfigOp[],
  validateOnly: boolean,
  client: KafkaClient,
): Promise<MessageInitShape<typeof AlterConfigsResponseSchema>> {
  const after = await owner.read(({ settings }) => clusterDefaultsAfter(settings, ops));
  if ('errorCode' in after) {
    return { clusterResult: { errorCode: after.errorCode, errorMessage: after.message } };
  }
  if (validateOnly) {
    return { clusterResult: {} };
  }
  const bytes = after.maxUncompressedBatchBytes;
  await storeMaxUncompressedBatchBytes(bytes);
  const answer = await owner.submit({ kind: 'set-max-uncompressed-batch-bytes', bytes }, client);
  const { errorCode, errorMessage, settings } = answer;
  return { clusterResult: { errorCode, errorMessage }, settings: settingsMessage(settings, owner.rules) };
}

/** @throws ConnectError when an op is of no known kind */
export function configOps(ops: readonly ConfigOpMessage[]): ConfigOp[] {
  return ops.map(({ kind, name, value }) => ({ kind: checkedKind(kind), name, value }));
}

function checkedKind(kind: ConfigOp_Kind): ConfigOp['kind'] {
  const known = kinds.get(kind);
  if (known === undefined) {
    throw new ConnectError(`ops.kind ${kind} is not defined`, Code.InvalidArgument);
  }
  return known;
}
