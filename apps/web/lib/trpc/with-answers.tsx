'use client';

import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query';
import { type ReactNode, use } from 'react';

/** Fills the query cache with the server's prefetched responses before its children render. */
export function WithAnswers({ state, children }: { state: Promise<DehydratedState>; children: ReactNode }) {
  return <HydrationBoundary state={use(state)}>{children}</HydrationBoundary>;
}
