'use client';

import { startTransition, useCallback, useEffect, useRef, useState } from 'react';

/** Ten times a second reads as live, and leaves the frames between to the handle under the hand. */
const FOLLOW_MS = 100;

/**
 * A value that is dragged here and used elsewhere: it is drawn here at every step, and passed on at once when it changes now and then, every
 * tenth of a second while it keeps changing, and in any case the last one. That is a transition, which gives way to the next step.
 * @returns the value to draw, and what to call with a step
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
