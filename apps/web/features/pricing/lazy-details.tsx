'use client';

import {
  type ComponentProps,
  createContext,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';

/** True inside a noscript element, where nothing may be collapsed and noscript must not be nested. */
const WithoutScript = createContext(false);

type LazyDetailsProps = Omit<ComponentProps<'details'>, 'open' | 'onToggle' | 'children' | 'ref'> & {
  summary: ReactNode;
  children: ReactNode;
  startsOpen?: boolean;
  /** Keeps it open while true, e.g. while an input inside is invalid. */
  mustOpen?: boolean;
  /** The content without JavaScript; the same content unless a shorter version exists. */
  withoutScript?: ReactNode;
};

/**
 * A details element that renders its content when it is opened. Without JavaScript all content is in a noscript element. Browsers that run
 * scripts treat that as plain text, so closed content costs neither elements nor renders.
 */
export function LazyDetails({
  summary,
  children,
  startsOpen = false,
  mustOpen = false,
  withoutScript,
  ...rest
}: LazyDetailsProps) {
  const [opened, setOpened] = useState(startsOpen);
  const element = useRef<HTMLDetailsElement>(null);
  const scriptless = useContext(WithoutScript);
  // It was opened before the page's script had loaded.
  useEffect(() => {
    if (element.current?.open) {
      setOpened(true);
    }
  }, []);
  const isOpen = opened || mustOpen;
  return (
    <details
      {...rest}
      ref={element}
      open={isOpen}
      onToggle={(event) => {
        if (event.target === event.currentTarget) {
          setOpened(event.currentTarget.open);
        }
      }}
    >
      {summary}
      {isOpen || scriptless ? children : <Noscript>{withoutScript ?? children}</Noscript>}
    </details>
  );
}

/** Browsers with scripts ignore this content, so it never needs to be compared or updated. */
const Noscript = memo(
  function Noscript({ children }: { children: ReactNode }) {
    return (
      <noscript>
        <WithoutScript value={true}>{children}</WithoutScript>
      </noscript>
    );
  },
  () => true,
);
