// Deletes a topic and all its records through the cluster's owner.
import { AppError } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { expectAccepted } from './change-topics.ts';

/**
 * @param input.confirmation the topic's exact name, typed by the user, because this cannot be undone
 * @throws AppError `cluster_not_found`, `topic_not_found`, `confirmation_mismatch`, `metadata_unavailable`
 */
export async function deleteTopic(
  scope: Scope,
  metadata: MetadataAdmin,
  input: { clusterId: string; name: string; confirmation: string },
): Promise<void> {
  const cluster = await findCluster(scope, input.clusterId);
  if (input.confirmation !== input.name) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'confirmation_mismatch',
      field: 'confirmation',
      message: 'This doesn’t match the topic’s name.',
      remedy: 'Enter the name exactly as shown.',
    });
  }
  expectAccepted(await metadata.deleteTopics(cluster.id, [input.name]), input.name);
  await recordAudit(scope, {
    action: 'topic.delete',
    targetType: 'topic',
    targetId: `${cluster.id}/${input.name}`,
    before: { clusterId: cluster.id, name: input.name },
  });
}
