'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';

/**
 * The parameters of the page's URL, and a setter. A change adds a history entry, so Back undoes it. The server does not render the page
 * again.
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
