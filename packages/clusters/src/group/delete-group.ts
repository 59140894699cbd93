// Deletes a consumer group without members, together with its committed offsets.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

/** Kafka's error codes for deleting a group. */
const KAFKA_NON_EMPTY_GROUP = 68;
const KAFKA_GROUP_ID_NOT_FOUND = 69;

/**
 * @param input.confirmation the group's exact id, typed by the user, because this cannot be undone
 * @throws AppError `cluster_not_found`, `group_not_found`, `group_has_members`, `confirmation_mismatch`,
 * `metadata_unavailable`
 */
export async function deleteGroup(
  scope: Scope,
  metadata: MetadataAdmin,
  input: { clusterId: string; groupId: string; confirmation: string },
): Promise<void> {
  const cluster = await findCluster(scope, input.clusterId);
  if (input.confirmation !== input.groupId) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'confirmation_mismatch',
      field: 'confirmation',
      message: 'This doesn’t match the consumer group’s ID.',
      remedy: 'Enter the ID exactly as shown.',
    });
  }
  const [errorCode] = await metadata.deleteGroups(cluster.id, [input.groupId]);
  expectDeleted(errorCode, input.groupId);
  await recordAudit(scope, {
    action: 'group.delete',
    targetType: 'group',
    targetId: `${cluster.id}/${input.groupId}`,
    before: { clusterId: cluster.id, groupId: input.groupId },
  });
}

function expectDeleted(errorCode: number | undefined, groupId: string): void {
  switch (errorCode) {
    case 0:
      return;
    case undefined:
      throw new Error('The metadata service answered for no group.');
    case KAFKA_GROUP_ID_NOT_FOUND:
      throw new AppError({
        kind: 'not-found',
        code: 'group_not_found',
        message: `This cluster has no consumer group “${groupId}”.`,
        remedy: 'It may have been deleted. Reload the page.',
      });
    case KAFKA_NON_EMPTY_GROUP:
      throw new AppError({
        kind: 'conflict',
        code: 'group_has_members',
        message: `Group “${groupId}” has running consumers.`,
        remedy: 'Stop them and wait until their sessions end.',
      });
    default:
      throw new AppError({ kind: 'refused', code: 'group_refused', message: `Kafka error code ${errorCode}.` });
  }
}
