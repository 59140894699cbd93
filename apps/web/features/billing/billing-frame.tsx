'use client';

import { Button, EmptyState } from '@penstock/ui';
import { Lock } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useMay, useSession } from '../../lib/session';
import { SectionNav } from '../shell';
import { BILLING_PATH, BILLING_SETTINGS_PATH } from './paths';

/** Sections of the billing pages for roles that may see them. Other roles see whom to ask. */
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
        title="Your role can’t view billing"
        action={
          <Button asChild>
            <Link href="/app">Go to the clusters</Link>
          </Button>
        }
      >
        Your role in {organization.organizationName} is {organization.role}. Owners, admins and billing members can view
        and manage billing. Ask an owner or admin to change your role.
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
              href: BILLING_PATH,
              label: 'This month and invoices',
              isCurrent: !pathname.startsWith(BILLING_SETTINGS_PATH),
            },
            { href: BILLING_SETTINGS_PATH, label: 'Settings', isCurrent: pathname.startsWith(BILLING_SETTINGS_PATH) },
          ]}
        />
      </div>
      {children}
    </>
  );
}
