// The context of every procedure: the services and the caller.
import type { ApiKeyPrincipal, AuthSession } from '@penstock/identity';
import { clientAddress } from '@penstock/platform/client-address';
import type { Scope, Slice } from '@penstock/tenancy';
import type { Backend } from '../backend.ts';
import type { CursorKey } from '../operation/cursor.ts';
import { ORGANIZATION_HEADER } from './dashboard-protocol.ts';

/** A program's call through the public API. */
export interface ApiCall {
  key: ApiKeyPrincipal;
  /** Wraps a change within its transaction: checks the caller's precondition and stores the outcome. */
  aroundChange<T>(scope: Scope, change: () => Promise<T>): Promise<T>;
  /** The page of a list that the program wants. Undefined for other operations. */
  slice: Slice<CursorKey> | undefined;
}

export interface ApiContext {
  backend: Backend;
  session: AuthSession | null;
  /** The organization that the request names; null if it names none. */
  organizationId: string | null;
  /** Null for a user or an unauthenticated request. */
  api: ApiCall | null;
  now: Date;
  /** The request's network address; `unknown` if it was not recorded. */
  address: string;
}

/**
 * Determines who sends a dashboard request, and for which organization. API keys work only in the public API.
 * @param connectionParams of a stream, which a browser opens without headers of its own
 */
export async function createContext(
  backend: Backend,
  headers: Headers,
  connectionParams: Readonly<Record<string, string | undefined>> | null = null,
): Promise<ApiContext> {
  const session = await backend.auth.getSession(headers);
  const organizationId = headers.get(ORGANIZATION_HEADER) ?? connectionParams?.[ORGANIZATION_HEADER] ?? null;
  const address = clientAddress(headers, backend.trustedProxies);
  return { backend, session, organizationId, api: null, now: new Date(), address };
}
