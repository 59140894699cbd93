'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../lib/trpc';

/** Reloads all billing data after a change: figures, banner and forms depend on each other. */
export function useRefreshBilling(): () => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.billing.pathFilter());
}
