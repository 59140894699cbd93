import type { ReactNode } from 'react';

export interface StatProps {
  label: string;
  value: ReactNode;
  unit?: string;
  /** Freshness, comparison or scope of the figure. */
  note?: ReactNode;
}

/** One figure with its unit. */
export function Stat({ label, value, unit, note }: StatProps) {
  return (
    <div className="min-w-0 px-4 py-4 sm:px-5">
      <dt className="text-[0.8125rem] text-ink-3 leading-5">{label}</dt>
      <dd className="mt-1">
        <span className="nums font-semibold text-2xl text-ink leading-8 tracking-tight">{value}</span>
        {unit === undefined ? null : <span className="ml-1.5 text-ink-3 text-sm">{unit}</span>}
        {note === undefined ? null : <span className="mt-1 block text-ink-3 text-xs leading-5">{note}</span>}
      </dd>
    </div>
  );
}
