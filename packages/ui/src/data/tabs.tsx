'use client';

import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabItem {
  value: string;
  label: string;
  content: ReactNode;
}

/** Tabs within a card. Sections with their own URL are links instead, see TabNav. */
export function Tabs({ items, label }: { items: readonly TabItem[]; label: string }) {
  const first = items[0];
  if (first === undefined) {
    return null;
  }
  return (
    <RadixTabs.Root defaultValue={first.value}>
      <RadixTabs.List aria-label={label} className="flex flex-wrap gap-x-1 border-line border-b">
        {items.map((item) => (
          <RadixTabs.Trigger
            key={item.value}
            value={item.value}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-3 py-2 font-medium text-ink-3 text-sm hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {item.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {items.map((item) => (
        <RadixTabs.Content key={item.value} value={item.value} className="pt-4">
          {item.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
