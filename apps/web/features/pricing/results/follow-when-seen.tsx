'use client';

import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { takeTurn } from './take-turns';

const REST_MS = 200;
/** Content within this distance of the viewport is also kept up to date. */
const MARGIN = '200px';

/**
 * Renders children for a value: in their turn (one part of the page per frame) while visible, and once the value rests while not. A dragged
 * slider then costs only what is on the screen.
 */
export function FollowWhenSeen<Value>({
  value,
  className,
  children,
}: {
  value: Value;
  className?: string;
  children: (shown: Value) => ReactNode;
}) {
  const [shown, setShown] = useState(value);
  const [seen, setSeen] = useState(true);
  const element = useRef<HTMLDivElement>(null);
  const [part] = useState({});
  useEffect(() => {
    const draw = () => startTransition(() => setShown(() => value));
    if (seen) {
      takeTurn(part, draw);
      return;
    }
    const timer = setTimeout(draw, REST_MS);
    return () => clearTimeout(timer);
  }, [value, seen, part]);
  useEffect(() => {
    if (element.current === null) {
      return;
    }
    const observer = new IntersectionObserver((entries) => setSeen(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: MARGIN,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={element} className={className}>
      {children(shown)}
    </div>
  );
}
