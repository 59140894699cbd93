// Prefetches data in this process while a page renders, so that the first paint shows it without a script.
import 'server-only';
import { type AppRouter, appRouter } from '@penstock/api';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { ReactNode } from 'react';
import { type Answers, WithAnswers } from '../lib/trpc';
import { getBackend } from './backend';
import { getContext, getSession } from './session';

/** The longest wait for prefetched data. After that the page loads it itself. */
const LONGEST_WAIT_MS = 1_000;

type Prefetch = (queries: QueryClient, trpc: TRPCOptionsProxy<AppRouter>) => Promise<unknown>;

/**
 * Renders its children with the responses of these queries. Server components below it do not wait: a layout and its page fetch at the same
 * time. Failures, e.g. a missing permission, are left out; the page then fetches the data and shows the error.
 */
export function Prefetched({ queries, children }: { queries: Prefetch; children: ReactNode }) {
  return <WithAnswers answers={answersOf(queries)}>{children}</WithAnswers>;
}

async function answersOf(prefetch: Prefetch): Promise<Answers> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const trpc = createTRPCOptionsProxy<AppRouter>({ ctx: getContext, router: appRouter, queryClient: queries });
  const asked = prefetch(queries, trpc).catch((error: unknown) =>
    getBackend().logger.debug({ err: error }, 'A page is rendered without its data'),
  );
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS).unref())]);
  const { organization } = await getSession();
  return { state: dehydrate(queries), organizationId: organization?.organizationId ?? null };
}
