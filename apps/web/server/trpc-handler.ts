// tRPC over fetch, mounted at /api/trpc.
import 'server-only';
import { appRouter, createContext } from '@penstock/api';
import { isFromOurPages, refuseForeignOrigin } from '@penstock/tenancy';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { getBackend } from './backend';

export function handleTrpc(request: Request): Promise<Response> | Response {
  const backend = getBackend();
  if (!isFromOurPages(request, backend.webUrl)) {
    return refuseForeignOrigin(backend.webUrl);
  }
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => createContext(backend, request.headers),
  });
}
