import { toSafeInteger } from '@penstock/metadata-core';
import type { AbortTransactionRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';

export const abortTransaction: AgentCall<typeof MetadataService.method.abortTransaction> = ({ owner }, request) =>
  abortTransactionIn(owner, request);

/** Also used by AdminAbortTransaction. */
export async function abortTransactionIn(
  owner: Owner,
  { transactionalId, actor, ...request }: AbortTransactionRequest,
) {
  const producerId = toSafeInteger(request.producerId);
  const answer = await owner.submit({ kind: 'abort-transaction', transactionalId, producerId });
  owner.noteTransactionAbort(actor, { transactionalId, producerId, errorCode: answer.errorCode });
  return answer;
}
