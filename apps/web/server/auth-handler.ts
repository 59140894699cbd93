// Accounts and sessions over fetch, mounted at /api/auth.
import 'server-only';
import { getBackend } from './backend';

export function handleAuth(request: Request): Promise<Response> {
  return getBackend().auth.handle(request);
}
