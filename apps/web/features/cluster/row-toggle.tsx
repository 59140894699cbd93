import { cx } from '@penstock/ui';
import { ChevronRight } from 'lucide-react';

interface RowToggleProps {
  name: string;
  isOpen: boolean;
  panelId: string;
  onToggle: () => void;
}

/** Opens and closes the details below a row. */
export function RowToggle({ name, isOpen, panelId, onToggle }: RowToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={panelId}
      onClick={onToggle}
      className="flex max-w-full items-center gap-2 rounded text-left font-medium text-ink text-sm focus-visible:-outline-offset-2"
    >
      <ChevronRight
        aria-hidden
        className={cx('size-4 shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-90')}
      />
      <span className="truncate">{name}</span>
    </button>
  );
}
