'use client';

import { createContext, useContext } from 'react';
import type { Confirmations } from './confirmations';

export const ConfirmationsContext = createContext<Confirmations | null>(null);

/** Null outside of the dashboard, where nothing asks for a confirmation. */
export function useConfirmations(): Confirmations | null {
  return useContext(ConfirmationsContext);
}
