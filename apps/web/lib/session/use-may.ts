'use client';

import { isAllowed, type Permission } from '@penstock/tenancy/permissions';
import { useSession } from './session-context';

/**
 * Whether the user's role includes a permission, from the same matrix that the server uses. Actions without permission are hidden; the
 * server still checks.
 */
export function useMay(): (permission: Permission) => boolean {
  const { organization } = useSession();
  return (permission) => organization !== null && isAllowed(organization.role, permission);
}
