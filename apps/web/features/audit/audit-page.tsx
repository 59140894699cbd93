'use client';

import { Button, buttonClass, Card, EmptyState, Notice, SkeletonRows } from '@penstock/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { useMay } from '../../lib/session';
import { useAddress } from '../../lib/time-range';
import { FailureNotice, useOrganizationQuery, useTRPC } from '../../lib/trpc';
import { PageHeader } from '../shell';
import { type AuditFilter, auditParameters, parseAuditFilter } from './audit-filter';
import { AuditSearch } from './audit-search';
import { AuditTable } from './audit-table';

const PAGE_ROWS = 50;

export function AuditPage() {
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Audit log"
        description="A record of every change in this organization: who, what and when. Each entry is written in the same transaction as the change."
      />
      {may('audit:read') ? (
        <AuditLog />
      ) : (
        <Notice title="Your role can’t view the audit log">Owners, admins and billing members can view it.</Notice>
      )}
    </>
  );
}

function AuditLog() {
  const trpc = useTRPC();
  const [parameters, setParameters] = useAddress();
  const filter = useMemo(() => parseAuditFilter(parameters), [parameters]);
  const audit = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { ...filter, limit: PAGE_ROWS },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const rows = audit.data?.pages.flatMap((page) => page.rows);
  const search = auditParameters(filter).toString();
  const isFiltered = search !== '';
  const onSearch = (next: AuditFilter) => setParameters(auditParameters(next));
  return (
    <>
      <search className="mb-4 block">
        <Card>
          <AuditSearch key={search} filter={filter} onSearch={onSearch} />
        </Card>
      </search>
      <Card flush>
        {rows === undefined ? (
          audit.error === null ? (
            <SkeletonRows rows={6} label="Loading the audit log" />
          ) : (
            <div className="p-4">
              <FailureNotice error={audit.error} onRetry={() => void audit.refetch()} />
            </div>
          )
        ) : rows.length === 0 ? (
          isFiltered ? (
            <EmptyState title="No results" action={<Button onClick={() => onSearch({})}>Show everything</Button>}>
              No entries match this search.
            </EmptyState>
          ) : (
            <EmptyState title="No entries yet">Changes to this organization appear here.</EmptyState>
          )
        ) : (
          <AuditTable
            rows={rows}
            hasMore={audit.hasNextPage}
            isLoadingMore={audit.isFetchingNextPage}
            onMore={() => void audit.fetchNextPage()}
          />
        )}
      </Card>
      <ExportCard search={search} />
    </>
  );
}

function ExportCard({ search }: { search: string }) {
  const organization = useOrganizationQuery();
  const address = (format: string) =>
    `/app/audit/export?${search === '' ? '' : `${search}&`}format=${format}&${organization}`;
  return (
    <Card
      className="mt-6"
      title={search === '' ? 'Export' : 'Export results'}
      description="Entries are listed oldest first. Each one contains the previous entry’s hash, so a changed or missing entry shows: hash is the SHA-256 of hashedText."
    >
      <div className="flex flex-wrap gap-2">
        {(['ndjson', 'csv'] as const).map((format) => (
          <a key={format} href={address(format)} download className={buttonClass()}>
            <Download aria-hidden />
            {format === 'csv' ? 'CSV' : 'NDJSON'}
          </a>
        ))}
      </div>
    </Card>
  );
}
