// The current session, for server components.
import 'server-only';
import { type CurrentSession, createCaller, createContext } from '@penstock/api';
import { ORGANIZATION_HEADER } from '@penstock/api/inputs';
import { headers } from 'next/headers';
import { cache } from 'react';
import { getBackend } from './backend';

/** The user of this request. One context per request. */
export const getContext = cache(async () => createContext(getBackend(), new Headers(await headers())));

/** The API for server components, called as the user of this request. */
export const getCaller = cache(async () => createCaller(await getContext()));

/** The API for a file that a page links to. The link names the page's organization, since browsers fetch files without headers. */
export async function getCallerForFile(request: Request): Promise<ReturnType<typeof createCaller>> {
  const organizationId = new URL(request.url).searchParams.get('organization') ?? undefined;
  return createCaller(await createContext(getBackend(), request.headers, { [ORGANIZATION_HEADER]: organizationId }));
}

/** The session data for the dashboard's frame; `user` is null when signed out. */
export const getSession = cache(async (): Promise<CurrentSession> => (await getCaller()).session.get());
