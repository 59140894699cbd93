'use client';

import { Badge, cx } from '@penstock/ui';
import { formatCountOf } from '@penstock/units';
import { useId } from 'react';
import type { RouterOutputs } from '../trpc';
import type { ClusterMode } from './mode-names';

type Offer = RouterOutputs['cluster']['modes'][number] &
  Partial<Pick<RouterOutputs['cluster']['previewModes'][number], 'isCurrent' | 'refusal' | 'warning'>>;

const PURPOSES: Readonly<Record<ClusterMode, string>> = {
  dev: 'For development and tests. No SLA.',
  standard: 'For production, on your standard bucket.',
  'low-latency': 'For production, on S3 Express One Zone. Agents need landing buckets.',
};

function limitsOf({ maxWrittenMibPerSecond, maxPartitions }: Offer): string {
  return maxWrittenMibPerSecond === null || maxPartitions === null
    ? 'No limit on throughput.'
    : `Up to ${maxWrittenMibPerSecond} MiB/s written before compression, and ${formatCountOf(maxPartitions, 'partition')}.`;
}

/** A card for each mode, with its price and limits. Those that the cluster can’t be in say why. */
export function ModeChoice({
  offers,
  value,
  onChange,
}: {
  offers: readonly Offer[];
  value: ClusterMode;
  onChange: (mode: ClusterMode) => void;
}) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-ink text-sm">Mode</legend>
      <div className="mt-1.5 grid gap-3 sm:grid-cols-3">
        {offers.map((offer) => {
          const { mode, isCurrent = false, refusal = null, warning = null } = offer;
          const id = `${name}-${mode}`;
          const isDisabled = refusal !== null;
          return (
            <label
              key={mode}
              htmlFor={id}
              className={cx(
                'flex min-w-0 flex-col gap-1 rounded-lg border p-3 text-[0.8125rem] leading-5',
                'has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
                value === mode ? 'border-accent bg-accent-wash' : 'border-line bg-surface',
                isDisabled ? 'cursor-not-allowed' : 'cursor-pointer',
              )}
            >
              <span className="flex items-center gap-2">
                <input
                  type="radio"
                  id={id}
                  name={name}
                  value={mode}
                  checked={value === mode}
                  disabled={isDisabled}
                  onChange={() => onChange(mode)}
                  aria-describedby={`${id}-facts`}
                  aria-label={offer.name}
                  className="size-4 accent-accent"
                />
                <span className="font-medium text-ink text-sm">{offer.name}</span>
                {isCurrent ? <Badge>Current</Badge> : null}
              </span>
              <span id={`${id}-facts`} className="flex flex-col gap-1">
                <span className="text-ink">
                  <span className="nums font-medium">{offer.usdPerMonth}</span> a month
                </span>
                <span className="text-ink-2">{PURPOSES[mode]}</span>
                <span className="text-ink-2">{limitsOf(offer)}</span>
                {refusal === null ? null : <span className="text-danger-ink">{refusal}</span>}
                {warning === null ? null : <span className="text-warn-ink">{warning}</span>}
              </span>
            </label>
          );
        })}
      </div>
      <p className="mt-2 text-[0.8125rem] text-ink-3 leading-5">
        Prices are for a month in which at least one agent is always alive. Writes are billed separately and cost the
        same in each mode.
      </p>
    </fieldset>
  );
}
