// tRPC over fetch, mounted at /api/trpc.
import 'server-only';
import { handleDashboardCall } from '@penstock/api';
import { isFromOurPages, refuseForeignOrigin } from '@penstock/tenancy';
import { getBackend } from './backend';

export function handleTrpc(request: Request): Promise<Response> | Response {
  const backend = getBackend();
  return isFromOurPages(request, backend.webUrl)
    ? handleDashboardCall(backend, request)
    : refuseForeignOrigin(backend.webUrl);
}
