'use client';

import { Card } from '@penstock/ui';
import Link from 'next/link';
import { useMay } from '../session';
import type { ClusterHealth } from './use-cluster-health';

/** Where notifications go. */
export function Recipients({ recipients }: { recipients: ClusterHealth['recipients'] }) {
  const may = useMay();
  const { emails, webhookHost } = recipients;
  return (
    <Card
      title="Who is told"
      description="When a finding is raised and when it is over, once each. The same trouble is not told again within ten minutes."
    >
      <dl className="flex flex-col gap-3 text-sm">
        <div>
          <dt className="text-ink-3 text-xs">By e-mail: owners and admins</dt>
          <dd className="text-ink-2">
            {emails.map((email) => (
              <span key={email} className="block break-all">
                {email}
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt className="text-ink-3 text-xs">By signed webhook</dt>
          <dd className="break-all text-ink-2">
            {webhookHost === null ? 'No webhook is set.' : webhookHost}{' '}
            {may('billing:write') ? (
              <Link
                href="/app/billing/settings"
                className="whitespace-nowrap font-medium text-accent-ink underline underline-offset-4"
              >
                {webhookHost === null ? 'Set one' : 'Change it'}
              </Link>
            ) : null}
          </dd>
        </div>
      </dl>
    </Card>
  );
}
