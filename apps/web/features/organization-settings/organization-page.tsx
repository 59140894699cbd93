'use client';

import { buttonClass, Card, Notice } from '@penstock/ui';
import { Download } from 'lucide-react';
import { useMay, useSession } from '../../lib/session';
import { useOrganizationQuery } from '../../lib/trpc';
import { PageHeader } from '../shell';
import { SsoCard } from '../sso';
import { DeleteOrganizationCard } from './delete-organization-card';
import { RequiredTwoFactorCard } from './required-two-factor-card';
import { SessionLifetimeCard } from './session-lifetime-card';

/** The page with organization-wide settings. */
export function OrganizationPage() {
  const { organization } = useSession();
  const may = useMay();
  if (organization === null) {
    return null;
  }
  const name = organization.organizationName;
  return (
    <>
      <PageHeader title="Organization" description={name} />
      {may('organization:export') && may('organization:delete') ? (
        <div className="flex max-w-3xl flex-col gap-4">
          {may('sso:write') ? <SsoCard /> : null}
          {may('sso:write') ? <RequiredTwoFactorCard /> : null}
          {may('sso:write') ? <SessionLifetimeCard /> : null}
          <ExportCard />
          <DeleteOrganizationCard organizationName={name} />
        </div>
      ) : (
        <Notice title="Only owners can view this page">
          Ask an owner of {name} to export the organization or change sign-in settings.
        </Notice>
      )}
    </>
  );
}

function ExportCard() {
  const organization = useOrganizationQuery();
  return (
    <Card
      title="Export organization"
      description="Download an NDJSON file with one line per object: members, clusters with their topics and groups, keys without secrets, invoices, hourly usage, events and the audit log. The last line confirms that the export is complete."
    >
      <a href={`/app/organization/export?${organization}`} download className={buttonClass()}>
        <Download aria-hidden />
        Export
      </a>
    </Card>
  );
}
