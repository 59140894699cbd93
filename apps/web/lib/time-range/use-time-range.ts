'use client';

import { useMemo } from 'react';
import { parseTimeRange, type TimeRange, withTimeRange } from './time-range';
import { useAddress } from './use-address';

/** The time range in the URL, and a setter. */
export function useTimeRange(): [TimeRange, (range: TimeRange) => void] {
  const [parameters, setParameters] = useAddress();
  const range = useMemo(() => parseTimeRange(parameters), [parameters]);
  return [range, (next) => setParameters(withTimeRange(parameters, next))];
}
