import { ChevronRight } from 'lucide-react';

/** Marks a summary as expandable. Follows the state of the nearest details element. */
export function Chevron() {
  return (
    <ChevronRight
      aria-hidden
      className="size-4 shrink-0 text-ink-3 transition-transform [details[open]>summary_&]:rotate-90 print:hidden"
    />
  );
}
