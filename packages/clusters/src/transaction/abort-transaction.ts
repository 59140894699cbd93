// Aborts an open transaction and fences its producer, for an operator who found one that hangs.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

/** Kafka's error codes for ending a transaction. */
const KAFKA_INVALID_TXN_STATE = 48;
const KAFKA_TRANSACTIONAL_ID_NOT_FOUND = 105;

/**
 * @param input.confirmation the exact transactional ID, typed by the user, because the producer loses the records
 * @throws AppError `cluster_not_found`, `confirmation_mismatch`, `transaction_not_found`, `transaction_not_open`,
 * `metadata_unavailable`
 */
export async function abortTransaction(
  scope: Scope,
  metadata: MetadataAdmin,
  input: { clusterId: string; transactionalId: string; confirmation: string },
): Promise<void> {
  const { transactionalId } = input;
  const cluster = await findCluster(scope, input.clusterId);
  if (input.confirmation !== transactionalId) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'confirmation_mismatch',
      field: 'confirmation',
      message: 'This doesn’t match the transactional ID.',
      remedy: 'Enter the ID exactly as shown.',
    });
  }
  const errorCode = await metadata.abortTransaction(cluster.id, scope.actor.label, transactionalId);
  expectAborted(errorCode, transactionalId);
  await recordAudit(scope, {
    action: 'transaction.abort',
    targetType: 'transaction',
    targetId: `${cluster.id}/${transactionalId}`,
    after: { clusterId: cluster.id, transactionalId },
  });
}

function expectAborted(errorCode: number, transactionalId: string): void {
  switch (errorCode) {
    case 0:
      return;
    case KAFKA_TRANSACTIONAL_ID_NOT_FOUND:
      throw new AppError({
        kind: 'not-found',
        code: 'transaction_not_found',
        message: `This cluster has no producer with the transactional ID “${transactionalId}”.`,
        remedy: 'It may have expired. Reload the page.',
      });
    case KAFKA_INVALID_TXN_STATE:
      throw new AppError({
        kind: 'conflict',
        code: 'transaction_not_open',
        message: `“${transactionalId}” has no open transaction.`,
        remedy: 'It was committed or aborted in the meantime, so there is nothing to do. Reload the page.',
      });
    default:
      throw new AppError({ kind: 'refused', code: 'transaction_refused', message: `Kafka error code ${errorCode}.` });
  }
}
