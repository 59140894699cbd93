'use client';

import type { CurrentSession } from '@penstock/api';
import { Skeleton } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { FailureNotice, useTRPC } from '../trpc';

export type SignedInSession = CurrentSession & { user: NonNullable<CurrentSession['user']> };

const SessionContext = createContext<SignedInSession | null>(null);

/** Shows the dashboard to signed-in users. Others are sent to sign-in and back here afterwards. */
export function SessionGate({ initial, children }: { initial: CurrentSession; children: ReactNode }) {
  const trpc = useTRPC();
  const router = useRouter();
  const session = useQuery({ ...trpc.session.get.queryOptions(), initialData: initial, refetchOnWindowFocus: true });
  const isSignedOut = session.data?.user === null;
  useEffect(() => {
    if (isSignedOut) {
      const { pathname, search } = window.location;
      router.replace(`/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`);
    }
  }, [isSignedOut, router]);

  // The membership that this tab was opened for has ended. What it shows belongs to an organization that is closed to the user.
  const isEnded = initial.organization !== null && session.data?.organization === null && !isSignedOut;
  useEffect(() => {
    if (isEnded) {
      window.location.assign('/app');
    }
  }, [isEnded]);

  const user = session.data?.user;
  if (session.data !== undefined && user !== undefined && user !== null) {
    return <SessionContext value={{ ...session.data, user }}>{children}</SessionContext>;
  }
  return (
    <main id="main" className="mx-auto w-full max-w-6xl px-4 py-8 sm:px-8">
      {session.error === null ? (
        <div role="status" aria-busy="true" className="flex flex-col gap-6">
          <span className="sr-only">Loading dashboard</span>
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-64 rounded-xl" />
        </div>
      ) : (
        <FailureNotice error={session.error} onRetry={() => void session.refetch()} />
      )}
    </main>
  );
}

/** The signed-in user and the active organization. */
export function useSession(): SignedInSession {
  const session = useContext(SessionContext);
  if (session === null) {
    throw new Error('useSession needs a <SessionGate> above it');
  }
  return session;
}
