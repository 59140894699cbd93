'use client';

import { useEffect, useState } from 'react';

/** Whether something has been so for a while; false at once when it ends. */
export function useLasting(isSo: boolean, forMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isSo) {
      setHasLasted(false);
      return;
    }
    const timer = setTimeout(() => setHasLasted(true), forMs);
    return () => clearTimeout(timer);
  }, [isSo, forMs]);
  return isSo && hasLasted;
}
