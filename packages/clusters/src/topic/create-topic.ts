// Creates a topic through the cluster's owner.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { expectAccepted } from './change-topics.ts';

export interface NewTopic {
  clusterId: string;
  name: string;
  /** -1 for the cluster's default. */
  partitions: number;
}

/**
 * The owner answers before the commit, so the audit log never contains a refused topic.
 * @throws AppError `cluster_not_found`, `topic_exists`, `topic_invalid`, `metadata_unavailable`
 */
export async function createTopic(
  scope: Scope,
  metadata: MetadataAdmin,
  input: NewTopic,
): Promise<{ name: string; partitions: number }> {
  const cluster = await findCluster(scope, input.clusterId);
  const topic = { name: input.name, partitions: input.partitions, configs: [] };
  const result = expectAccepted(await metadata.createTopics(cluster.id, [topic]), input.name);
  const created = { name: input.name, partitions: result.topic?.partitions ?? input.partitions };
  await recordAudit(scope, {
    action: 'topic.create',
    targetType: 'topic',
    targetId: `${cluster.id}/${input.name}`,
    after: { clusterId: cluster.id, ...created },
  });
  return created;
}
