// What every procedure is given: the opened services and who asks.
import { type AuthSession, type Backend, clientAddress } from '@penstock/services';

export interface ApiContext {
  backend: Backend;
  session: AuthSession | null;
  now: Date;
  /** The network address that the request comes from; `unknown` when nobody noted it. */
  address: string;
}

/** Finds out who sends a request. */
export async function createContext(backend: Backend, headers: Headers): Promise<ApiContext> {
  const session = await backend.auth.getSession(headers);
  return { backend, session, now: new Date(), address: clientAddress(headers, backend.trustedProxies) };
}
