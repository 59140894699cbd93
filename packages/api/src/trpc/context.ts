// What every procedure is given: the opened services and who asks.
import type { AuthSession, Backend } from '@penstock/services';

export interface ApiContext {
  backend: Backend;
  session: AuthSession | null;
  now: Date;
}

/** Finds out who sends a request. */
export async function createContext(backend: Backend, headers: Headers): Promise<ApiContext> {
  return { backend, session: await backend.auth.getSession(headers), now: new Date() };
}
