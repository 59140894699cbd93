import { type KafkaClient, toSafeInteger } from '@penstock/metadata-core';
import type { AbortTransactionRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { kafkaClientOf } from './messages/kafka-client.ts';

export const abortTransaction: AgentCall<typeof MetadataService.method.abortTransaction> = (
  { owner, keyId },
  request,
) => abortTransactionIn(owner, request, kafkaClientOf(keyId, request.client));

/** Also used by AdminAbortTransaction. */
export async function abortTransactionIn(
  owner: Owner,
  { transactionalId, actor, ...request }: AbortTransactionRequest,
  client?: KafkaClient,
) {
  const producerId = toSafeInteger(request.producerId);
  const answer = await owner.submit({ kind: 'abort-transaction', transactionalId, producerId }, client);
  owner.noteTransactionAbort(actor, { transactionalId, producerId, errorCode: answer.errorCode });
  return answer;
}
