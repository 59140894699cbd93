'use client';

import { cx } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { memo } from 'react';
import { zoneText } from '../metrics';
import { type AgentState, stateOf, type ZoneSummary } from './agent-rows';
import { byteRateText, coresText, latencyText } from './figures';

export type ZoneMapProps = {
  zones: readonly ZoneSummary[];
  /** The zone whose agents alone are listed below. */
  chosen: string | null;
  onChoose: (zone: string | null) => void;
};

/** Zones side by side, a square for each agent. Choosing a zone lists its agents alone. */
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
              <Figure label="Worst p99" text={latencyText(zone.worstP99_ms)} />
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
    ...(gone > 0 ? [`${formatCount(gone)} gone`] : []),
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

/** Shape and not only colour tells the states apart; the counts above say them in words. */
const SQUARES: Record<AgentState, string> = {
  ok: 'bg-ok',
  errors: 'bg-warn rounded-full',
  gone: 'border border-danger bg-transparent',
};

const Squares = memo(function Squares({ zone }: { zone: ZoneSummary }) {
  return (
    <span aria-hidden className="flex flex-wrap gap-[3px]">
      {zone.rows.map((row) => (
        <span key={row.agent.agentId} className={cx('size-2', SQUARES[stateOf(row)])} />
      ))}
    </span>
  );
});
