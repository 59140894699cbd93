'use client';

import { isAllowed, type Permission } from '@penstock/tenancy/permissions';
import { useSession } from './session-context';

/**
 * Whether the person's role includes a permission, from the same matrix that the server goes by. What one may not do is
 * not offered; the server refuses it all the same.
 */
export function useMay(): (permission: Permission) => boolean {
  const { organization } = useSession();
  return (permission) => organization !== null && isAllowed(organization.role, permission);
}
