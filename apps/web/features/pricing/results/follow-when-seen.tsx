'use client';

import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { takeTurn } from './take-turns';

const REST_MS = 200;
/** What is about to be scrolled into view is kept up to date as well. */
const MARGIN = '200px';

/**
 * Draws what follows from a value: at its turn (a part of the page a frame) while it can be seen, and once the value rests while it
 * cannot. A dragged slider then costs what is on the screen, not what is on the page.
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
