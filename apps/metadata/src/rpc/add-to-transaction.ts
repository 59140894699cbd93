import { toSafeInteger, verifyInTransaction } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { checkedPartitions } from './messages/ids.ts';

/** Adds partitions and groups to a transaction, or looks whether the partitions are in it. */
export const addToTransaction: AgentCall<typeof MetadataService.method.addToTransaction> = async (
  { owner },
  request,
) => {
  const { transactionalId, producerEpoch, groupIds } = request;
  const claim = { transactionalId, producerId: toSafeInteger(request.producerId), producerEpoch };
  const partitions = checkedPartitions(request.partitions, 'partitions');
  return request.verifyOnly
    ? await owner.read((state) => verifyInTransaction(state, claim, partitions))
    : await owner.submit({ kind: 'add-to-transaction', ...claim, partitions, groupIds });
};
