import { Code, ConnectError } from '@connectrpc/connect';
import type { ConfigOp, KafkaClient } from '@penstock/metadata-core';
import {
  type AlterConfigsRequest,
  AlterConfigsResponseSchema,
  ConfigOp_Kind,
  type ConfigOp as ConfigOpMessage,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { withList } from './long-list.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';
import { encodedResults } from './topic-results.ts';

const kinds: ReadonlyMap<ConfigOp_Kind, ConfigOp['kind']> = new Map([
  [ConfigOp_Kind.SET, 'set'],
  [ConfigOp_Kind.DELETE, 'delete'],
  [ConfigOp_Kind.APPEND, 'append'],
  [ConfigOp_Kind.SUBTRACT, 'subtract'],
]);

export const alterConfigs: AgentCall<typeof MetadataService.method.alterConfigs> = async ({ owner, keyId }, request) =>
  await alterConfigsIn(owner, request, kafkaClientOf(keyId, request.client));

/** Also used by AdminAlterConfigs. */
export async function alterConfigsIn(owner: Owner, request: AlterConfigsRequest, client?: KafkaClient) {
  const topics = request.topics.map(({ name, ops }) => ({ name, ops: configOps(ops) }));
  const { validateOnly } = request;
  const { results } = await owner.submit({ kind: 'alter-configs', topics, validateOnly }, client);
  return withList(AlterConfigsResponseSchema, {}, await encodedResults(owner, results));
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
