'use client';

import Link from 'next/link';
import { type Column, DataTable } from '../../lib/table';
import { useTimeZone } from '../../lib/time';
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

interface AuditTableProps {
  rows: readonly ShownAuditRow[];
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
}

export function AuditTable({ rows, hasMore, isLoadingMore, onMore }: AuditTableProps) {
  const timeZone = useTimeZone();
  const linesOf = (row: ShownAuditRow) => describeChange(row.before, row.after, timeZone);
  const columns: Column<ShownAuditRow>[] = [
    { key: 'when', header: 'When', className: 'align-top', value: ({ at }) => at },
    {
      key: 'who',
      header: 'Who',
      className: 'align-top',
      value: ({ actorLabel, source }) => `${actorLabel} (${sourceText(source)})`,
      cell: (row) => (
        <>
          <span className="[overflow-wrap:anywhere]">{row.actorLabel}</span>
          <span className="block text-ink-3 text-xs @max-xl:ml-2 @max-xl:inline">{sourceText(row.source)}</span>
          <ReportingKey keyId={reportingKeyOf(row)} isVerified={isPrincipalVerified(row)} />
        </>
      ),
    },
    {
      key: 'what',
      header: 'What',
      stack: 'title',
      className: 'whitespace-nowrap align-top text-ink @max-xl:first-letter:uppercase',
      value: ({ action }) => describeAction(action),
    },
    {
      key: 'details',
      header: 'Details',
      stack: 'foot',
      className: 'min-w-64 align-top font-mono text-xs leading-5',
      value: (row) => [...linesOf(row), row.targetId].join('\n'),
      cell: (row) => (
        <>
          {linesOf(row).map((line) => (
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
        </>
      ),
    },
  ];
  return (
    <DataTable
      label="Audit log, newest first"
      noun="entry"
      plural="entries"
      rows={rows}
      rowKey={({ id }) => id}
      columns={columns}
      pages={{ hasMore, isLoading: isLoadingMore, onMore, label: 'Older entries' }}
    />
  );
}
