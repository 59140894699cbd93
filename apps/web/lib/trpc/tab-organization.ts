'use client';

import { createContext, useContext } from 'react';

/** The organization that this tab was opened for; null before the user has one. */
export const TabOrganization = createContext<string | null>(null);

/** For links to files, which browsers fetch without headers. */
export function useOrganizationQuery(): string {
  const organizationId = useContext(TabOrganization);
  return organizationId === null ? '' : new URLSearchParams({ organization: organizationId }).toString();
}
