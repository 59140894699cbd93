'use client';

import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query';
import { type ReactNode, use } from 'react';

/** Puts answers that the server has asked for already into the cache of queries, before anything below asks. */
export function WithAnswers({ state, children }: { state: Promise<DehydratedState>; children: ReactNode }) {
  return <HydrationBoundary state={use(state)}>{children}</HydrationBoundary>;
}
