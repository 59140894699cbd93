'use client';

import { Button, EmptyState } from '@penstock/ui';
import { Lock } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useMay, useSession } from '../../lib/session';
import { SectionNav } from '../shell';
import { billingPath, billingSettingsPath } from './paths';

/** Sections of the billing pages, for roles that may see them; for the others a page that says whom to ask. */
export function BillingFrame({ children }: { children: ReactNode }) {
  const { organization } = useSession();
  const may = useMay();
  const pathname = usePathname();
  if (organization === null) {
    return null;
  }
  if (!may('billing:read')) {
    return (
      <EmptyState
        isPage
        icon={<Lock />}
        title="Billing is not open to your role"
        action={
          <Button asChild>
            <Link href="/app">Go to the clusters</Link>
          </Button>
        }
      >
        You are a {organization.role} of {organization.organizationName}. Owners, admins and billing members see what it
        costs and pay for it; an owner or admin can give you such a role.
      </EmptyState>
    );
  }
  return (
    <>
      <div className="mb-6 border-line border-b print:hidden">
        <SectionNav
          label="Billing sections"
          items={[
            {
              href: billingPath,
              label: 'This month and invoices',
              isCurrent: !pathname.startsWith(billingSettingsPath),
            },
            { href: billingSettingsPath, label: 'Settings', isCurrent: pathname.startsWith(billingSettingsPath) },
          ]}
        />
      </div>
      {children}
    </>
  );
}
