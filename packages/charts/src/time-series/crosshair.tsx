'use client';

// The crosshair shared by all charts of a page. It is kept outside React's state: moving it redraws only thin lines, never a chart.
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';

export interface Crosshair {
  /** Null while the pointer is over no chart. */
  timeMs: number | null;
  set: (timeMs: number | null) => void;
}

interface Store {
  read: () => number | null;
  set: (timeMs: number | null) => void;
  subscribe: (listener: () => void) => () => void;
}

function createStore(): Store {
  let timeMs: number | null = null;
  const listeners = new Set<() => void>();
  return {
    read: () => timeMs,
    set: (next) => {
      if (next === timeMs) {
        return;
      }
      timeMs = next;
      for (const listener of listeners) {
        listener();
      }
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const CrosshairContext = createContext<Store | null>(null);

/** The charts below it share their crosshair. */
export function CrosshairProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createStore);
  return <CrosshairContext value={store}>{children}</CrosshairContext>;
}

function useStore(): Store {
  const store = useContext(CrosshairContext);
  if (store === null) {
    throw new Error('useCrosshair needs a <CrosshairProvider> above it');
  }
  return store;
}

/** The crosshair's time, and a setter. Its caller renders again whenever it moves. */
export function useCrosshair(): Crosshair {
  const store = useStore();
  const timeMs = useSyncExternalStore(store.subscribe, store.read, () => null);
  return { timeMs, set: store.set };
}
