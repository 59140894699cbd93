'use client';

import { Table, Td, Th, Tr } from '@penstock/ui';
import Link from 'next/link';
import { DateTime, useTimeZone } from '../../lib/time';
import { auditParameters, sourceText } from './audit-filter';
import { describeAction, describeChange, isPrincipalVerified, reportingKeyOf } from './describe-action';

export interface ShownAuditRow {
  id: string;
  at: Date;
  actorLabel: string;
  source: string;
  action: string;
  targetId: string;
  before: unknown;
  after: unknown;
}

function ReportingKey({ keyId, isVerified }: { keyId: string | null; isVerified: boolean }) {
  return keyId === null ? null : (
    <Link
      href={`/app/audit?${auditParameters({ target: keyId }).toString()}`}
      title="Show all changes to this key"
      className="block text-ink-3 text-xs underline decoration-transparent underline-offset-4 hover:decoration-current"
    >
      {isVerified ? 'verified by the client’s sign-in, through an agent key' : 'as reported by an agent key'}
    </Link>
  );
}

export function AuditTable({ rows }: { rows: readonly ShownAuditRow[] }) {
  const timeZone = useTimeZone();
  return (
    <Table label="Audit log, newest first" stacks>
      <thead>
        <tr>
          <Th>When</Th>
          <Th>Who</Th>
          <Th>What</Th>
          <Th>Details</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.id}>
            <Td className="align-top" stack="detail">
              <DateTime timeMs={row.at.getTime()} />
            </Td>
            <Td className="align-top">
              <span className="[overflow-wrap:anywhere]">{row.actorLabel}</span>
              <span className="block text-ink-3 text-xs @max-xl:ml-2 @max-xl:inline">{sourceText(row.source)}</span>
              <ReportingKey keyId={reportingKeyOf(row)} isVerified={isPrincipalVerified(row)} />
            </Td>
            <Td className="whitespace-nowrap align-top text-ink @max-xl:first-letter:uppercase" stack="title">
              {describeAction(row.action)}
            </Td>
            <Td className="min-w-64 align-top font-mono text-xs leading-5" stack="foot">
              {describeChange(row.before, row.after, timeZone).map((line) => (
                <span key={line} className="block break-all">
                  {line}
                </span>
              ))}
              <Link
                href={`/app/audit?${auditParameters({ target: row.targetId }).toString()}`}
                title="Show all changes to this object"
                className="block break-all text-ink-3 underline decoration-transparent underline-offset-4 hover:decoration-current"
              >
                {row.targetId}
              </Link>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
