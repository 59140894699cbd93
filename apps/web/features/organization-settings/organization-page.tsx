'use client';

import { buttonClass, Card, Notice } from '@penstock/ui';
import { Download } from 'lucide-react';
import { useMay, useSession } from '../../lib/session';
import { PageHeader } from '../shell';
import { SsoCard } from '../sso';
import { DeleteOrganizationCard } from './delete-organization-card';

/** What concerns the organization as a whole. */
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
          <ExportCard />
          <DeleteOrganizationCard organizationName={name} />
        </div>
      ) : (
        <Notice title="Only owners can see this page">
          Ask an owner of {name} to export the organization or to change how people sign in.
        </Notice>
      )}
    </>
  );
}

function ExportCard() {
  return (
    <Card
      title="Export everything"
      description="One document in NDJSON, a line per thing: members, clusters with their topics and groups, keys without their secrets, invoices, usage by hour, events and the audit log. Its last line says that it is whole."
    >
      <a href="/app/organization/export" download className={buttonClass()}>
        <Download aria-hidden />
        Export
      </a>
    </Card>
  );
}
