'use client';

import type { CurrentSession } from '@penstock/api';
import { LogoMark, ToastProvider } from '@penstock/ui';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { SessionGate, useMay, useSession } from '../../lib/session';
import { RenderedAt } from '../../lib/time';
import { ApiProvider } from '../../lib/trpc';
import { ConfirmIdentity } from '../auth';
import { BillingBanner } from '../billing-banner';
import { ReceivedInvitations } from '../invitation';
import { BehindSso, BehindTwoFactor, CreateOrganization, DeletedOrganizations } from '../organization';
import { SuspensionBanner } from '../suspension-banner';
import { IntentLink } from './intent-link';
import { OrganizationSwitcher } from './organization-switcher';
import { SectionNav } from './section-nav';
import { UserMenu } from './user-menu';

/** The frame of every dashboard page. `session` is the session that the server saw when it rendered the page, at `renderedAtMs`. */
export function AppShell({
  session,
  renderedAtMs,
  children,
}: {
  session: CurrentSession;
  renderedAtMs: number;
  children: ReactNode;
}) {
  return (
    <RenderedAt timeMs={renderedAtMs}>
      <ApiProvider organizationId={session.organization?.organizationId ?? null}>
        <ToastProvider>
          <SessionGate initial={session}>
            <Frame>{children}</Frame>
            <ConfirmIdentity />
          </SessionGate>
        </ToastProvider>
      </ApiProvider>
    </RenderedAt>
  );
}

const SECTIONS = [
  { href: '/app', label: 'Clusters', permission: 'cluster:read' },
  { href: '/app/members', label: 'Members', permission: 'member:read' },
  { href: '/app/api-keys', label: 'API keys', permission: 'api-key:read' },
  { href: '/app/billing', label: 'Billing', permission: 'billing:read' },
  { href: '/app/audit', label: 'Audit log', permission: 'audit:read' },
  { href: '/app/organization', label: 'Organization', permission: 'organization:delete' },
] as const;

/** Whether a path is a section or one of its pages. */
function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}

function Frame({ children }: { children: ReactNode }) {
  const { organization } = useSession();
  const may = useMay();
  const pathname = usePathname();
  const isClusters = pathname === '/app' || pathname.startsWith('/app/clusters');
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-line border-b bg-surface print:hidden">
        <div className="mx-auto flex h-14 max-w-7xl items-center gap-3 px-4 sm:px-6">
          <IntentLink href="/app" aria-label="Penstock dashboard" className="rounded-md text-ink">
            <LogoMark className="size-7" />
          </IntentLink>
          {organization === null ? null : (
            <>
              <span aria-hidden className="text-line-strong text-lg">
                /
              </span>
              <OrganizationSwitcher />
            </>
          )}
          <div className="ml-auto flex items-center gap-1">
            <IntentLink
              href="/docs"
              className="hidden rounded-md px-3 py-2 text-ink-2 text-sm hover:bg-hover hover:text-ink sm:block"
            >
              Quick start
            </IntentLink>
            <UserMenu />
          </div>
        </div>
        {organization === null ? null : (
          <div className="mx-auto max-w-7xl px-2 sm:px-4">
            <SectionNav
              label="Dashboard"
              items={SECTIONS.filter(({ href, permission }) => href === '/app' || may(permission)).map((section) => ({
                href: section.href,
                label: section.label,
                isCurrent: section.href === '/app' ? isClusters : isWithin(pathname, section.href),
              }))}
            />
          </div>
        )}
      </header>
      {organization === null ? null : <SuspensionBanner />}
      {organization === null ? null : <BillingBanner />}
      <main id="main" className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 sm:px-6 sm:py-8">
        {organization === null && !pathname.startsWith('/app/account') ? <FirstSteps /> : children}
      </main>
    </div>
  );
}

/**
 * The page of an account without an open organization: it says what is missing, lists invitations, and has a form to
 * create an organization.
 */
function FirstSteps() {
  const { closed } = useSession();
  const isTwoFactorDue = closed.behindTwoFactor.length > 0;
  return (
    <>
      <div className="mx-auto flex max-w-lg flex-col gap-4">
        <BehindTwoFactor />
        <BehindSso />
        <ReceivedInvitations />
        <DeletedOrganizations />
      </div>
      {isTwoFactorDue ? null : <CreateOrganization isFirst />}
    </>
  );
}
