import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AppShell } from '../../features/shell';
import { getSession } from '../../server/session';

export const metadata: Metadata = {
  title: { default: 'Clusters', template: '%s · Penstock' },
  robots: { index: false },
};

// Rendered per request, because it depends on the session.
export const dynamic = 'force-dynamic';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await getSession();
  return (
    <AppShell session={session} renderedAtMs={Date.now()}>
      {children}
    </AppShell>
  );
}
