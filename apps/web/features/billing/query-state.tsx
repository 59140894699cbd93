'use client';

import { SkeletonRows } from '@penstock/ui';
import type { ReactNode } from 'react';
import { FailureNotice } from '../../lib/trpc';

interface Loadable<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** The state of a query: its data, loading, or an error. */
export function QueryState<T>(props: {
  query: Loadable<T>;
  /** What is loading, for screen readers. */
  label: string;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  const { query, label, rows = 3, children } = props;
  if (query.data !== undefined) {
    return children(query.data);
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
