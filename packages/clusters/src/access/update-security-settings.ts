// Changes the settings of access control. Agents receive them within seconds.
import { recordAudit, type Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import type { SecuritySettingsChange } from './access-input.ts';
import { type SecuritySettings, settingsMessage, settingsOf } from './access-messages.ts';

/**
 * Changes the given settings and leaves the others.
 * @param input.expectedVersion the version that the change was made from; undefined for the current one
 * @throws AppError `cluster_not_found`, `security_changed`, `metadata_refused`, `metadata_unavailable`
 */
export async function updateSecuritySettings(
  scope: Scope,
  metadata: MetadataAdmin,
  input: SecuritySettingsChange & { clusterId: string; expectedVersion?: number | undefined },
): Promise<SecuritySettings> {
  const cluster = await findCluster(scope, input.clusterId);
  const before = settingsOf(await metadata.describeSecurity(cluster.id));
  const settings = {
    superUsers: input.superUsers ?? before.superUsers,
    allowEveryoneIfNoAclFound: input.allowEveryoneIfNoAclFound ?? before.allowEveryoneIfNoAclFound,
    aclMode: input.aclMode ?? before.aclMode,
    authentication: input.authentication ?? before.authentication,
  };
  // Settings that were not named are those of this version, so it is expected even if the caller named none.
  const expectedVersion = input.expectedVersion ?? before.version;
  const message = settingsMessage(settings);
  const after = settingsOf(await metadata.updateSecuritySettings(cluster.id, message, expectedVersion));
  const { version: _version, ...settingsBefore } = before;
  await recordAudit(scope, {
    action: 'security.update-settings',
    targetType: 'cluster',
    targetId: cluster.id,
    before: settingsBefore,
    after: settings,
  });
  return after;
}
