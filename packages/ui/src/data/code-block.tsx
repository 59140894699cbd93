'use client';

import { CopyButton } from './copy-button.tsx';

export interface CodeBlockProps {
  code: string;
  /** The block's accessible name and heading, e.g. "Terminal" or "consumer.py". */
  title: string;
}

/** A block of code to be copied. */
export function CodeBlock({ code, title }: CodeBlockProps) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line bg-inset">
      <figcaption className="flex h-10 items-center justify-between gap-3 border-line border-b pr-1 pl-4">
        <span className="truncate font-mono text-ink-3 text-xs">{title}</span>
        <CopyButton text={code} label={`Copy ${title}`} iconOnly />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto p-4 font-mono text-[0.8125rem] text-ink leading-6 focus-visible:-outline-offset-2"
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
