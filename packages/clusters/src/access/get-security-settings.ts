import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type SecuritySettings, settingsOf } from './access-messages.ts';

/** @throws AppError `cluster_not_found`, `metadata_unavailable` */
export async function getSecuritySettings(
  scope: Scope,
  metadata: MetadataAdmin,
  clusterId: string,
): Promise<SecuritySettings> {
  const { id } = await findCluster(scope, clusterId);
  return settingsOf(await metadata.describeSecurity(id));
}
