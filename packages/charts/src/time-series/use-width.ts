'use client';

import { type RefObject, useLayoutEffect, useState } from 'react';

/** The width of an element in pixels, updated as it changes. */
export function useWidth(element: RefObject<HTMLElement | null>, initial: number): number {
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) {
      return;
    }
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) {
        setWidth(Math.round(entry.contentRect.width));
      }
    });
    setWidth(Math.round(current.getBoundingClientRect().width));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
