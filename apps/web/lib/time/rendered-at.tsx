'use client';

import { createContext, type ReactNode } from 'react';

/** When the server rendered the page, in milliseconds since the Unix epoch: used as the current time until the page has its own clock. */
export const RenderedAtContext = createContext(0);

export function RenderedAt({ timeMs, children }: { timeMs: number; children: ReactNode }) {
  return <RenderedAtContext value={timeMs}>{children}</RenderedAtContext>;
}
