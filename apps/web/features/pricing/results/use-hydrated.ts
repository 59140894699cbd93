'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False on the server and until React has taken over, true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
