import { ChevronRight } from 'lucide-react';

/** Shows, inside a summary, that it opens. Follows the nearest details element. */
export function Chevron() {
  return (
    <ChevronRight
      aria-hidden
      className="size-4 shrink-0 text-ink-3 transition-transform [details[open]>summary_&]:rotate-90 print:hidden"
    />
  );
}
