// Queries about users, ACLs, quotas and the settings of access control.

import type { AclBinding, ClientQuota, ScramCredential, SecuritySettings } from '../model/security.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export interface SecurityDescription {
  /** Increases with each change; 0: nothing was ever set. */
  version: number;
  settings: SecuritySettings;
  /** By user, then mechanism. */
  credentials: ScramCredential[];
  /** The ACLs, oldest first. */
  acls: AclBinding[];
  quotas: ClientQuota[];
}

export function describeSecurity({ security }: ClusterState): SecurityDescription {
  const { version, settings, credentials, acls, quotas } = security;
  return {
    version,
    settings,
    credentials: [...credentials.values()].sort((a, b) =>
      a.user < b.user ? -1 : a.user > b.user ? 1 : a.mechanism - b.mechanism,
    ),
    acls: [...acls.values()],
    quotas: [...quotas.values()],
  };
}
