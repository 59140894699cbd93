// The dashboard's API over fetch: tRPC under /api/trpc.
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from './app-router.ts';
import type { Backend } from './backend.ts';
import { withBoundedBody } from './trpc/bounded-body.ts';
import { createContext } from './trpc/context.ts';
import { MAX_BATCH_CALLS } from './trpc/dashboard-protocol.ts';

/** The caller has checked that the request comes from our own pages. */
export async function handleDashboardCall(backend: Backend, request: Request): Promise<Response> {
  const bounded = await withBoundedBody(request);
  if (bounded instanceof Response) {
    return bounded;
  }
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: bounded,
    router: appRouter,
    maxBatchSize: MAX_BATCH_CALLS,
    createContext: ({ info }) => createContext(backend, request.headers, info.connectionParams),
  });
}
