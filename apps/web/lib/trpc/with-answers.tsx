'use client';

import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query';
import { type ReactNode, use, useContext } from 'react';
import { TabOrganization } from './tab-organization';

export interface Answers {
  state: DehydratedState;
  /** The organization that the server answered for. */
  organizationId: string | null;
}

/**
 * Fills the query cache with the server's prefetched responses before its children render. Another tab may have switched
 * the session to another organization since this one was opened; its responses are left out and the page asks again.
 */
export function WithAnswers({ answers, children }: { answers: Promise<Answers>; children: ReactNode }) {
  const { state, organizationId } = use(answers);
  const isOurs = organizationId === useContext(TabOrganization);
  return <HydrationBoundary state={isOurs ? state : undefined}>{children}</HydrationBoundary>;
}
