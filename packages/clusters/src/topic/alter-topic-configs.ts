// Changes a topic's configs, through the cluster's owner.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { expectAccepted } from './change-topics.ts';
import type { TopicConfigs } from './topic-input.ts';

/**
 * Applies all changes or none. The owner answers before the commit, so the audit log never contains a refused change.
 * @param input.configs by name; null restores the default
 * @throws AppError `cluster_not_found`, `topic_not_found`, `topic_invalid`, `metadata_unavailable`
 */
export async function alterTopicConfigs(
  scope: Scope,
  metadata: MetadataAdmin,
  input: { clusterId: string; name: string; configs: TopicConfigs },
): Promise<void> {
  const cluster = await findCluster(scope, input.clusterId);
  const changes = Object.entries(input.configs).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  if (changes.length === 0) {
    return;
  }
  expectAccepted(await metadata.alterConfigs(cluster.id, input.name, changes), input.name);
  await recordAudit(scope, {
    action: 'topic.alter-configs',
    targetType: 'topic',
    targetId: `${cluster.id}/${input.name}`,
    after: {
      clusterId: cluster.id,
      name: input.name,
      ...Object.fromEntries(changes.map(({ name, value }) => [name, value ?? 'default'])),
    },
  });
}
