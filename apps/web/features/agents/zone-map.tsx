'use client';

import { cx } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { memo } from 'react';
import { zoneText } from '../metrics';
import { type AgentState, stateOf, type ZoneSummary } from './agent-rows';
import { byteRateText, coresText, latencyText } from './figures';

export interface ZoneMapProps {
  zones: readonly ZoneSummary[];
  /** The zone that the list below is filtered by. */
  chosen: string | null;
  onChoose: (zone: string | null) => void;
}

/** Zones side by side, with a square for each agent. Choosing a zone filters the list. */
export function ZoneMap({ zones, chosen, onChoose }: ZoneMapProps) {
  return (
    <ul aria-label="Zones" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {zones.map((zone) => (
        <li key={zone.zone} className="min-w-0">
          <button
            type="button"
            aria-pressed={chosen === zone.zone}
            onClick={() => onChoose(chosen === zone.zone ? null : zone.zone)}
            className={cx(
              'flex h-full w-full min-w-0 flex-col gap-2.5 rounded-xl border bg-surface p-4 text-left shadow-raised hover:bg-hover/60',
              chosen === zone.zone ? 'border-accent' : 'border-line',
            )}
          >
            <span className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3">
              <span className="truncate font-semibold text-[0.9375rem] text-ink">{zoneText(zone.zone)}</span>
              <span className="nums whitespace-nowrap text-[0.8125rem] text-ink-2">{countsText(zone)}</span>
            </span>
            <Squares zone={zone} />
            <span className="nums grid grid-cols-2 gap-x-3 gap-y-0.5 text-[0.8125rem] text-ink-2">
              <Figure label="In" text={byteRateText(zone.producedBytesPerS)} />
              <Figure label="Out" text={byteRateText(zone.fetchedBytesPerS)} />
              <Figure label="Worst p99" text={latencyText(zone.worstP99Ms)} />
              <Figure label="CPU" text={coresText(zone.cpuCores)} />
            </span>
            {zone.versions.length <= 1 ? null : (
              <span className="text-warn-ink text-xs">Versions {zone.versions.join(', ')}</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

function countsText({ rows, alive, withErrors }: ZoneSummary): string {
  const gone = rows.length - alive;
  return [
    `${formatCount(alive)} alive`,
    ...(withErrors > 0 ? [`${formatCount(withErrors)} with errors`] : []),
    ...(gone > 0 ? [`${formatCount(gone)} offline`] : []),
  ].join(', ');
}

function Figure({ label, text }: { label: string; text: string }) {
  return (
    <span className="flex justify-between gap-2">
      <span className="text-ink-3">{label}</span>
      <span className="whitespace-nowrap font-medium text-ink">{text}</span>
    </span>
  );
}

const COLUMNS = 32;
const SIZE = 8;
const PITCH = 11;

/** Shape as well as colour distinguishes the states. The counts above name them. */
const MARKS: readonly { state: AgentState; className: string; markAt: (x: number, y: number) => string }[] = [
  { state: 'ok', className: 'fill-ok', markAt: (x, y) => `M${x} ${y}h${SIZE}v${SIZE}h-${SIZE}z` },
  {
    state: 'errors',
    className: 'fill-warn',
    markAt: (x, y) => `M${x} ${y + SIZE / 2}a4 4 0 1 1 ${SIZE} 0a4 4 0 1 1-${SIZE} 0z`,
  },
  {
    state: 'gone',
    className: 'fill-none stroke-danger',
    markAt: (x, y) => `M${x + 0.5} ${y + 0.5}h${SIZE - 1}v${SIZE - 1}h-${SIZE - 1}z`,
  },
];

/** One path per state: an element for each of a thousand agents would be slow to render. */
const Squares = memo(function Squares({ zone }: { zone: ZoneSummary }) {
  const lines = Math.ceil(zone.rows.length / COLUMNS);
  const pathOf = (state: AgentState, markAt: (x: number, y: number) => string): string =>
    zone.rows
      .map((row, index) =>
        stateOf(row) === state ? markAt((index % COLUMNS) * PITCH, Math.floor(index / COLUMNS) * PITCH) : '',
      )
      .join('');
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${COLUMNS * PITCH - (PITCH - SIZE)} ${lines * PITCH - (PITCH - SIZE)}`}
      className="w-full max-w-96"
    >
      {MARKS.map(({ state, className, markAt }) => (
        <path key={state} className={className} d={pathOf(state, markAt)} />
      ))}
    </svg>
  );
});
