'use client';

import type { AppRouter } from '@penstock/api';
import { MAX_BATCH_CALLS, ORGANIZATION_HEADER } from '@penstock/api/inputs';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchStreamLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import { confirmationLink } from './confirmation-link';
import { Confirmations } from './confirmations';
import { toFailure } from './failure';
import { TabOrganization } from './tab-organization';
import { TRPCProvider } from './trpc-context';
import { ConfirmationsContext } from './use-confirmations';

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

/** Every request names the organization that this tab shows, so that another tab's choice does not redirect it. */
function makeClient(organizationId: string | null, confirmations: Confirmations) {
  const named = () => (organizationId === null ? {} : { [ORGANIZATION_HEADER]: organizationId });
  return createTRPCClient<AppRouter>({
    links: [
      confirmationLink(confirmations),
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url: '/api/trpc', transformer: superjson, connectionParams: named }),
        // Responses of a batch are streamed: a slow one does not delay the others.
        false: httpBatchStreamLink({
          url: '/api/trpc',
          transformer: superjson,
          headers: named,
          maxItems: MAX_BATCH_CALLS,
        }),
      }),
    ],
  });
}

/**
 * Provides the typed procedures and their query cache.
 * @param organizationId the organization that the page was opened for; switching to another one loads the page anew
 */
export function ApiProvider({
  organizationId: opened = null,
  children,
}: {
  organizationId?: string | null;
  children: ReactNode;
}) {
  const [organizationId] = useState(opened);
  const [queryClient] = useState(makeQueryClient);
  const [confirmations] = useState(() => new Confirmations());
  const [client] = useState(() => makeClient(organizationId, confirmations));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        <TabOrganization value={organizationId}>
          <ConfirmationsContext value={confirmations}>{children}</ConfirmationsContext>
        </TabOrganization>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
