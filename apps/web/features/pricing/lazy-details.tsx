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

/** True inside a noscript element: there nothing may be folded away, and no second noscript may begin. */
const WithoutScript = createContext(false);

type LazyDetailsProps = Omit<ComponentProps<'details'>, 'open' | 'onToggle' | 'children' | 'ref'> & {
  summary: ReactNode;
  children: ReactNode;
  startsOpen?: boolean;
  /** Opens it as long as it holds, e.g. while something inside is wrong. */
  mustOpen?: boolean;
  /** What stands inside without JavaScript; the same content unless something shorter says it. */
  withoutScript?: ReactNode;
};

/**
 * A details element whose content is drawn once it is opened. Without JavaScript all of it is there: browsers that run scripts
 * read that part as one piece of text, so that what is closed costs neither elements nor redraws.
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
  // Opened while the page's script was still loading.
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

/** Browsers with scripts never look into it again, and neither do we. */
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
