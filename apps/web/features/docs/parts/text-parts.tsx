import type { ReactNode } from 'react';

/** A command's flags and other short code inside of tables. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="whitespace-nowrap rounded bg-inset px-1.5 py-0.5 font-mono text-ink text-xs">{children}</code>
  );
}
