'use client';

import { SkeletonRows } from '@penstock/ui';
import type { ReactNode } from 'react';
import { FailureNotice } from './failure-notice';

interface Loadable<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface QueryStateProps<T> {
  query: Loadable<T>;
  /** Describes the loading content to screen readers. */
  label: string;
  rows?: number;
  /** Shown instead of an empty list. */
  empty?: ReactNode;
  children: (data: T) => ReactNode;
}

/** The content of a card without padding that shows a query: its data, loading, or an error. */
export function QueryState<T>({ query, label, rows = 3, empty, children }: QueryStateProps<T>) {
  const { data } = query;
  if (data !== undefined) {
    return empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children(data);
  }
  if (query.error === null) {
    return <SkeletonRows rows={rows} label={label} />;
  }
  return (
    <div className="p-4">
      <FailureNotice error={query.error} onRetry={() => void query.refetch()} />
    </div>
  );
}
