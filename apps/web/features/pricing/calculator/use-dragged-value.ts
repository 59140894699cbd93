'use client';

import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** Ten times a second looks live, and leaves the other frames to the slider handle. */
const FOLLOW_MS = 100;

/**
 * Throttles a dragged value. It is drawn here at every step. It is passed on at once after a single change, every tenth of a second while
 * it keeps changing, and always with the last value. Passing it on is a transition, which the next step can interrupt.
 * @returns the value to draw, and the function to call with a step
 */
export function useDraggedValue<Value>(value: Value, onChange: (value: Value) => void): [Value, (step: Value) => void] {
  const [dragged, setDragged] = useState<{ readonly value: Value }>();
  const last = useRef({ onChange, at_ms: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    last.current.onChange = onChange;
  }, [onChange]);
  useEffect(() => {
    if (dragged === undefined) {
      return;
    }
    const waitMs = Math.max(0, last.current.at_ms + FOLLOW_MS - performance.now());
    const timer = setTimeout(() => {
      last.current.at_ms = performance.now();
      startTransition(() => {
        last.current.onChange(dragged.value);
        setDragged((latest) => (latest === dragged ? undefined : latest));
      });
    }, waitMs);
    return () => clearTimeout(timer);
  }, [dragged]);
  const drag = useCallback((step: Value) => setDragged({ value: step }), []);
  return [dragged === undefined ? value : dragged.value, drag];
}
