'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../../lib/trpc';

/** The fold runs every ten seconds; asking more often would show the same figures. */
const REFRESH_MS = 20_000;

/** The running draft, kept fresh while the page is open. */
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
