// The current session, for server components.
import 'server-only';
import { type CurrentSession, createCaller, createContext } from '@penstock/api';
import { headers } from 'next/headers';
import { cache } from 'react';
import { getBackend } from './backend';

/** The user of this request. One context per request. */
export const getContext = cache(async () => createContext(getBackend(), new Headers(await headers())));

/** The API for server components, called as the user of this request. */
export const getCaller = cache(async () => createCaller(await getContext()));

/** What the frame of the dashboard shows; `user` is null when signed out. */
export const getSession = cache(async (): Promise<CurrentSession> => (await getCaller()).session.get());
