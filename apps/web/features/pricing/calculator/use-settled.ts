'use client';

import { startTransition, useEffect, useRef, useState } from 'react';

/** Ten times a second reads as live, and leaves the frames between to the handle under the hand. */
const FOLLOW_MS = 100;

/**
 * A value as what follows from it should see it: at once when it changes now and then, every tenth of a second while it keeps
 * changing, and in any case the last one. Drawn as a transition, which gives way to the next input.
 */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const followedAt_ms = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (settled === value) {
      return;
    }
    const wait_ms = Math.max(0, followedAt_ms.current + FOLLOW_MS - performance.now());
    const timer = setTimeout(() => {
      followedAt_ms.current = performance.now();
      startTransition(() => setSettled(() => value));
    }, wait_ms);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}
