'use client';

import { cx } from '@penstock/ui';
import { formatBytes } from '@penstock/units';
import { useLiveSummary } from '../../lib/live';

const NAMES = new Map([
  ['groups', 'Consumer groups'],
  ['offsets', 'Committed offsets'],
  ['transactions', 'Transactions'],
  ['topics', 'Topic names and configurations'],
  ['producers', 'Idempotent producers'],
  ['organization', 'All clusters'],
]);
/** The share from which a limit is reported as an issue. */
const WARNING_SHARE = 0.8;

/** The memory that the metadata service holds for the cluster, as bars with their limits. */
export function MetadataMemory() {
  const accounts = useLiveSummary()?.metadataMemory.accounts ?? [];
  if (accounts.length === 0) {
    return null;
  }
  return (
    <section aria-labelledby="metadata-memory" className="flex flex-col gap-3">
      <div>
        <h2 id="metadata-memory" className="font-semibold text-base text-ink">
          Metadata memory
        </h2>
        <p className="text-[0.8125rem] text-ink-3 leading-5">
          Memory that the metadata service uses for this cluster now, and its limits.
        </p>
      </div>
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {accounts.map(({ name, heldBytes, limitBytes }) => (
          <li key={name} className="flex flex-col gap-1.5">
            <div className="flex justify-between gap-4 text-[0.8125rem]">
              <span className="text-ink-2">{NAMES.get(name) ?? name}</span>
              <span className="whitespace-nowrap text-ink-3 tabular-nums">
                {text(heldBytes)} of {text(limitBytes)}
              </span>
            </div>
            <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
              <div
                className={cx('h-full', heldBytes < limitBytes * WARNING_SHARE ? 'bg-data-in' : 'bg-warn')}
                style={{ width: `${Math.min(100, (100 * heldBytes) / limitBytes)}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function text(bytes: number): string {
  const { value, unit } = formatBytes(bytes);
  return `${value} ${unit}`;
}
