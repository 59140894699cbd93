// The context of every procedure: the services and the caller.
import type { ApiKeyPrincipal, AuthSession } from '@penstock/identity';
import { clientAddress } from '@penstock/platform/client-address';
import type { Scope } from '@penstock/tenancy';
import type { Backend } from '../backend.ts';

/** A program's call through the public API. */
export interface ApiCall {
  key: ApiKeyPrincipal;
  /** Wraps a change within its transaction: checks the caller's precondition and stores the outcome. */
  aroundChange<T>(scope: Scope, change: () => Promise<T>): Promise<T>;
}

export interface ApiContext {
  backend: Backend;
  session: AuthSession | null;
  /** Null for a user or an unauthenticated request. */
  api: ApiCall | null;
  now: Date;
  /** The request's network address; `unknown` if it was not recorded. */
  address: string;
}

/** Determines who sends a dashboard request. API keys work only in the public API. */
export async function createContext(backend: Backend, headers: Headers): Promise<ApiContext> {
  const session = await backend.auth.getSession(headers);
  return { backend, session, api: null, now: new Date(), address: clientAddress(headers, backend.trustedProxies) };
}
