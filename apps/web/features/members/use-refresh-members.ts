'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../lib/trpc';

/** Reloads what a change of members affects: the lists and the user's own role. */
export function useRefreshMembers(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.organization.listMembers.queryFilter()),
      queryClient.invalidateQueries(trpc.invitation.list.queryFilter()),
      queryClient.invalidateQueries(trpc.session.get.queryFilter()),
    ]);
  };
}
