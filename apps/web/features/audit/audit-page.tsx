'use client';

import { Button, Card, EmptyState, SkeletonRows, Table, Td, Th, Tr } from '@penstock/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { PageHeader } from '../shell';
import { DateTime } from '../time';
import { FailureNotice, useTRPC } from '../trpc';
import { describeAction, describeChange } from './describe-action';

const PAGE_ROWS = 50;

export function AuditPage() {
  const trpc = useTRPC();
  const audit = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { limit: PAGE_ROWS },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
  );
  const rows = audit.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Every change in this organization: who, what and when. Written in the same transaction as the change itself."
      />
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
          <EmptyState title="Nothing has changed yet">The first change appears here.</EmptyState>
        ) : (
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
                    <span className="block text-ink-3 text-xs">by {row.source}</span>
                  </Td>
                  <Td className="whitespace-nowrap align-top text-ink">{describeAction(row.action)}</Td>
                  <Td className="min-w-64 align-top font-mono text-xs leading-5">
                    {describeChange(row.before, row.after).map((line) => (
                      <span key={line} className="block break-all">
                        {line}
                      </span>
                    ))}
                    <span className="block break-all text-ink-3">{row.targetId}</span>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      {audit.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button pending={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            {audit.isFetchingNextPage ? 'Loading…' : 'Older entries'}
          </Button>
        </div>
      ) : null}
    </>
  );
}
