// Who is signed in, for server components.
import 'server-only';
import { type CurrentSession, createCaller, createContext } from '@penstock/api';
import { headers } from 'next/headers';
import { cache } from 'react';
import { getBackend } from './backend';

/** Who asks for the page. One context per request. */
export const getContext = cache(async () => createContext(getBackend(), new Headers(await headers())));

/** The API for server components, as the person who asks for the page. */
export const getCaller = cache(async () => createCaller(await getContext()));

/** What the frame of the dashboard shows; `user` is null when nobody is signed in. */
export const getSession = cache(async (): Promise<CurrentSession> => (await getCaller()).session.get());
