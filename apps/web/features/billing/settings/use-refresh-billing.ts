'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../lib/trpc';

/** Loads everything of billing anew after a change: figures, banner and forms hang together. */
export function useRefreshBilling(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.billing.pathFilter());
}
