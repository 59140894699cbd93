import { Input } from '@penstock/ui';

export interface NameFilterProps {
  /** The plural name of the list's items. */
  of: string;
  value: string;
  onChange: (value: string) => void;
  /** A text that says how much of the list is shown. */
  status: string;
}

/** Filters a long list to names that contain the typed text. */
export function NameFilter({ of, value, onChange, status }: NameFilterProps) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-3 sm:px-5">
      <Input
        type="search"
        aria-label={`Filter ${of} by name`}
        placeholder="Filter by name"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="max-w-64"
      />
      <p role="status" className="nums text-[0.8125rem] text-ink-3">
        {status}
      </p>
    </div>
  );
}
