'use client';

import { Select, type SelectOption } from '@penstock/ui';
import { useAddress } from '../../lib/time-range';
import type { Percentile } from './chart-input';

const OPTIONS: readonly SelectOption[] = [
  { value: 'p50', label: 'Stages at p50' },
  { value: 'p95', label: 'Stages at p95' },
  { value: 'p99', label: 'Stages at p99' },
];

function toPercentile(value: string | null): Percentile {
  return value === 'p50' || value === 'p95' ? value : 'p99';
}

/** The percentile in the URL, and a setter. */
export function usePercentile(): [Percentile, (percentile: Percentile) => void] {
  const [parameters, setParameters] = useAddress();
  const set = (percentile: Percentile): void => {
    const next = new URLSearchParams(parameters);
    next.set('percentile', percentile);
    setParameters(next);
  };
  return [toPercentile(parameters.get('percentile')), set];
}

/** The percentile for charts that show only one: stages, and lines by zone or agent. */
export function PercentileChoice({
  value,
  onChange,
}: {
  value: Percentile;
  onChange: (percentile: Percentile) => void;
}) {
  return (
    <div className="w-40">
      <Select
        aria-label="Percentile for stages"
        value={value}
        options={OPTIONS}
        onValueChange={(next) => onChange(toPercentile(next))}
      />
    </div>
  );
}
