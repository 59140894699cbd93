'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../../lib/trpc';

/** The fold runs every ten seconds; polling more often would return the same figures. */
const REFRESH_MS = 20_000;

/** The current month's draft, refreshed while the page is open. */
export function useDraft() {
  const trpc = useTRPC();
  return useQuery({ ...trpc.billing.draft.queryOptions(), refetchInterval: REFRESH_MS });
}

export function useMonthByDay() {
  const trpc = useTRPC();
  return useQuery({ ...trpc.billing.monthByDay.queryOptions(), refetchInterval: REFRESH_MS });
}

export function useForecast() {
  const trpc = useTRPC();
  return useQuery({ ...trpc.billing.forecast.queryOptions(), refetchInterval: REFRESH_MS });
}
