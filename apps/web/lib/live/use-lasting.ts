'use client';

import { useEffect, useState } from 'react';

/** Whether a condition has held for a while; false as soon as it ends. */
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
