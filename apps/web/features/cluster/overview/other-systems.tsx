'use client';

import { formatByteRate, formatCountOf } from '@penstock/units';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { useLiveTopics } from '../../../lib/live';
import { useNow } from '../../../lib/time';
import { useTRPC } from '../../../lib/trpc';
import { figuresOf, queryOf, type TrafficFigures } from './traffic-query';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const METRICS = ['rate.produced_uncompressed_bytes', 'rate.produced_bytes', 'rate.fetched_bytes'] as const;

const short = (value: number) => Number(value.toPrecision(2)).toLocaleString('en-US');

/** The traffic of the time before now. It asks again four times in each `step`, not every second. */
function useFigures(clusterId: string, span: number, step: number, enabled: boolean): TrafficFigures | null {
  const trpc = useTRPC();
  const topics = useLiveTopics();
  const toMs = Math.ceil(useNow() / step) * step;
  const series = useQuery({
    ...trpc.telemetry.metrics.queryOptions({
      clusterId,
      fromMs: toMs - span,
      toMs,
      metrics: [...METRICS],
      by: 'none',
    }),
    enabled,
    refetchInterval: step / 4,
  });
  const [written = [], stored = [], fetched = []] = METRICS.map(
    (metric) => series.data?.series.find((one) => one.metric === metric)?.lines[0]?.values ?? [],
  );
  return topics === null ? null : figuresOf({ written, stored, fetched, topics });
}

/** A link to the calculator with the traffic that this cluster had in the last days. Nothing until it had some. */
export function OtherSystems({ clusterId }: { clusterId: string }) {
  const week = useFigures(clusterId, WEEK_MS, HOUR_MS, true);
  // The steps of a week are so long that the first hour of a cluster has none that has ended.
  const hour = useFigures(clusterId, HOUR_MS, MINUTE_MS, week === null);
  const figures = week ?? hour;
  if (figures === null) {
    return null;
  }
  const rate = formatByteRate(figures.writtenBytesPerSecond);
  return (
    <p className="rounded-xl border border-line bg-surface px-5 py-4 text-ink-2 text-sm leading-6 shadow-raised">
      <Link
        href={`/pricing?${queryOf(figures)}#calculator`}
        className="inline-flex items-center gap-1 rounded font-medium text-accent-ink underline-offset-4 hover:underline"
      >
        On other systems <ArrowRight aria-hidden className="size-4" />
      </Link>{' '}
      What this cluster’s traffic of the last {week === null ? 'hour' : '7 days'} would cost elsewhere: {rate.value}{' '}
      {rate.unit} before compression, {short(figures.compressionRatio)}:1, {short(figures.fanout)} reads per write,{' '}
      {formatCountOf(figures.partitions, 'partition')}, kept for {short(figures.retentionDays)} days.
    </p>
  );
}
