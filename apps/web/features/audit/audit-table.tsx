'use client';

import { Table, Td, Th, Tr } from '@penstock/ui';
import Link from 'next/link';
import { DateTime } from '../../lib/time';
import { auditParameters } from './audit-filter';
import { describeAction, describeChange } from './describe-action';

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

export function AuditTable({ rows }: { rows: readonly ShownAuditRow[] }) {
  return (
    <Table label="Audit log, newest first">
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
            <Td className="align-top">
              <DateTime timeMs={row.at.getTime()} />
            </Td>
            <Td className="align-top">
              {row.actorLabel}
              <span className="block text-ink-3 text-xs">via {row.source}</span>
            </Td>
            <Td className="whitespace-nowrap align-top text-ink">{describeAction(row.action)}</Td>
            <Td className="min-w-64 align-top font-mono text-xs leading-5">
              {describeChange(row.before, row.after).map((line) => (
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
