'use client';

// One moment that all charts of a page point at. It lives outside React's state: moving it draws lines of light anew, never a chart.
import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';

export interface Crosshair {
  /** Null while nothing is pointed at. */
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

/** The moment, and the way to move it. Draws its caller anew whenever it moves. */
export function useCrosshair(): Crosshair {
  const store = useStore();
  const timeMs = useSyncExternalStore(store.subscribe, store.read, () => null);
  return { timeMs, set: store.set };
}
