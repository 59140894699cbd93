'use client';

import { useContext, useSyncExternalStore } from 'react';
import { RenderedAtContext } from './rendered-at';

const TICK_MS = 1_000;

let nowMs = 0;
let timer: ReturnType<typeof setInterval> | null = null;
const listeners = new Set<() => void>();

function tick(): void {
  nowMs = Math.floor(Date.now() / TICK_MS) * TICK_MS;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    tick();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

function read(): number {
  return nowMs === 0 ? Math.floor(Date.now() / TICK_MS) * TICK_MS : nowMs;
}

/** The current time in whole seconds, from one clock for the whole page. */
export function useNow(): number {
  const renderedAtMs = useContext(RenderedAtContext);
  return useSyncExternalStore(subscribe, read, () => renderedAtMs);
}
