'use client';

import { isGranted } from '@penstock/tenancy/cluster-roles';
import type { Permission } from '@penstock/tenancy/permissions';
import { useParams } from 'next/navigation';
import { useSession } from './session-context';

/**
 * Whether the user's roles include a permission, by the same rules that the server uses; on the page of a cluster, for
 * that cluster. Actions without permission are hidden; the server still checks.
 */
export function useMay(): (permission: Permission) => boolean {
  const { organization } = useSession();
  const { clusterId } = useParams<{ clusterId?: string }>();
  return (permission) => organization !== null && isGranted(organization, permission, clusterId ?? null);
}
