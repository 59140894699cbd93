'use client';

import type { AppRouter } from '@penstock/api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchStreamLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import { toFailure } from './failure';
import { TRPCProvider } from './trpc-context';

const STALE_MS = 5_000;
const MAX_RETRIES = 2;

function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // Errors from the server are final; only an unreachable server is worth a retry.
        retry: (failures, error) => toFailure(error).code === 'unreachable' && failures < MAX_RETRIES,
      },
    },
  });
}

function makeClient() {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url: '/api/trpc', transformer: superjson }),
        // Responses of a batch are streamed: a slow one does not delay the others.
        false: httpBatchStreamLink({ url: '/api/trpc', transformer: superjson }),
      }),
    ],
  });
}

/** Provides the typed procedures and their query cache. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(makeQueryClient);
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
