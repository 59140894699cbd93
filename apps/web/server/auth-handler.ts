// Accounts and sessions over fetch, mounted at /api/auth.
import 'server-only';
import { getBackend } from './backend';
import { isFromOurPages, refuseForeignOrigin } from './origin';

export function handleAuth(request: Request): Promise<Response> | Response {
  const backend = getBackend();
  // Links in mails are opened from anywhere: following one is a plain GET.
  const isLink = request.method === 'GET';
  if (!isLink && !isFromOurPages(request, backend.webUrl)) return refuseForeignOrigin(backend.webUrl);
  return backend.auth.handle(request);
}
