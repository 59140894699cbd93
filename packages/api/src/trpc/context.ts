// What every procedure is given: the opened services and who asks.
import type { ApiKeyPrincipal, AuthSession } from '@penstock/identity';
import { clientAddress } from '@penstock/platform/client-address';
import type { Scope } from '@penstock/tenancy';
import type { Backend } from '../backend.ts';

/** A call by a program, through the public API. */
export interface ApiCall {
  key: ApiKeyPrincipal;
  /** Stands around a change, within its transaction: what the caller expects to find, and what is kept of the outcome. */
  aroundChange<T>(scope: Scope, change: () => Promise<T>): Promise<T>;
}

export interface ApiContext {
  backend: Backend;
  session: AuthSession | null;
  /** Null when a person asks, or nobody. */
  api: ApiCall | null;
  now: Date;
  /** The network address that the request comes from; `unknown` when nobody noted it. */
  address: string;
}

/** Finds out who sends a request of the dashboard. API keys open the public API alone. */
export async function createContext(backend: Backend, headers: Headers): Promise<ApiContext> {
  const session = await backend.auth.getSession(headers);
  return { backend, session, api: null, now: new Date(), address: clientAddress(headers, backend.trustedProxies) };
}
