'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../lib/trpc';

/** Reloads sign-in methods and sessions: turning a second factor on or off replaces the current session. */
export function useRefreshSecurity(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.account.security.queryFilter()),
      queryClient.invalidateQueries(trpc.account.sessions.queryFilter()),
    ]);
  };
}
