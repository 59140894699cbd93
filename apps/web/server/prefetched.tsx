// Data for the first paint: asked for in this process while the page is rendered, so that the page needs no script to show it.
import 'server-only';
import { type AppRouter, appRouter } from '@penstock/api';
import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ReactNode } from 'react';
import { WithAnswers } from '../lib/trpc';
import { getBackend } from './backend';
import { getContext } from './session';

/** A page without this data loads it by itself: nobody waits longer for the first byte than this. */
const LONGEST_WAIT_MS = 1_000;

type Prefetch = (queries: QueryClient, trpc: TRPCOptionsProxy<AppRouter>) => Promise<unknown>;

/**
 * Renders its children with the answers of these queries. What is below it on the server does not wait: a layout and its page ask at the
 * same time. What fails here, e.g. because the reader may not see it, is left out: the page asks for it and says so.
 */
export function Prefetched({ queries, children }: { queries: Prefetch; children: ReactNode }) {
  return <WithAnswers state={answersOf(queries)}>{children}</WithAnswers>;
}

async function answersOf(prefetch: Prefetch): Promise<DehydratedState> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const trpc = createTRPCOptionsProxy<AppRouter>({ ctx: getContext, router: appRouter, queryClient: queries });
  const asked = prefetch(queries, trpc).catch((error: unknown) =>
    getBackend().logger.debug({ err: error }, 'A page is rendered without its data'),
  );
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS).unref())]);
  return dehydrate(queries);
}
