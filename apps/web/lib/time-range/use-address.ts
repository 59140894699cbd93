'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';

/**
 * The parameters of the page's address, and the way to change them. A change is an entry of the history, so Back takes it back; the
 * server is not asked for the page again.
 */
export function useAddress(): [URLSearchParams, (next: URLSearchParams) => void] {
  const pathname = usePathname();
  const read = useSearchParams();
  const parameters = useMemo(() => new URLSearchParams(read), [read]);
  const set = useCallback(
    (next: URLSearchParams) => window.history.pushState(null, '', `${pathname}?${next.toString()}`),
    [pathname],
  );
  return [parameters, set];
}
