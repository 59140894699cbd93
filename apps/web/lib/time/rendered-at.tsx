'use client';

import { createContext, type ReactNode } from 'react';

/** When the server rendered the page, milliseconds since the Unix epoch: the present, until the page has a clock of its own. */
export const RenderedAtContext = createContext(0);

export function RenderedAt({ timeMs, children }: { timeMs: number; children: ReactNode }) {
  return <RenderedAtContext value={timeMs}>{children}</RenderedAtContext>;
}
