import type { ReactNode } from 'react';

/** Flags of a command and other short code inside tables. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="@max-xl:wrap-anywhere @max-xl:whitespace-normal whitespace-nowrap rounded bg-inset px-1.5 py-0.5 font-mono text-ink text-xs">
      {children}
    </code>
  );
}
