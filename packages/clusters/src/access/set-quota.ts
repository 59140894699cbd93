// Sets and removes the quotas of a user, a client ID, or both.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import type { QuotaChange } from './access-input.ts';
import { type ClientQuota, quotaOf } from './access-messages.ts';
import { expectAccepted } from './expect-accepted.ts';

/**
 * Returns the quotas of the entity after the change.
 * @throws AppError `cluster_not_found`, `access_invalid`, `access_limit_reached`, `metadata_unavailable`
 */
export async function setQuota(
  scope: Scope,
  metadata: MetadataAdmin,
  { clusterId, user, clientId, ...values }: QuotaChange & { clusterId: string },
): Promise<ClientQuota> {
  const cluster = await findCluster(scope, clusterId);
  const ops = [
    { key: 'producer_byte_rate', value: values.producerByteRate },
    { key: 'consumer_byte_rate', value: values.consumerByteRate },
    { key: 'request_percentage', value: values.requestPercentage },
  ].flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  expectAccepted(await metadata.alterQuota(cluster.id, scope.actor.label, { user, clientId, ops }));
  await recordAudit(scope, {
    action: 'quota.set',
    targetType: 'quota',
    targetId: cluster.id,
    after: {
      clusterId: cluster.id,
      user: user ?? null,
      clientId: clientId ?? null,
      ...Object.fromEntries(ops.map(({ key, value }) => [key, value])),
    },
  });
  const { quotas } = await metadata.describeSecurity(cluster.id);
  const entity = { user: user ?? null, clientId: clientId ?? null };
  const nothing = { producerByteRate: null, consumerByteRate: null, requestPercentage: null };
  const found = quotas.map(quotaOf).find((quota) => quota.user === entity.user && quota.clientId === entity.clientId);
  return found ?? { ...entity, ...nothing };
}
