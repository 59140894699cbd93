'use client';

import { type CatalogueChange, type CatalogueEntry, catalogueChanges } from '@penstock/pricing';
import { Badge, Table, Td, Th, Tr } from '@penstock/ui';
import { LazyDetails } from './lazy-details';

const CHANGES = catalogueChanges();
const REPLACEMENTS = CHANGES.filter(({ before }) => before !== null);
const UNVERIFIED = CHANGES.filter(({ entry }) => !entry.verified).length;

const priceText = (entry: CatalogueEntry) => entry.tiers.map((tier) => `$${tier.usd}`).join(', ');

/** The changelog of the catalog: entries are added, never edited. */
export function ChangelogSection() {
  return (
    <section aria-labelledby="changelog" className="mt-12 print:hidden">
      <h2 id="changelog" className="font-semibold text-ink text-xl tracking-tight">
        Price catalog and changelog
      </h2>
      <p className="mt-1 max-w-prose text-ink-2 text-sm leading-6">
        Every price has a date and a source. We never edit an entry: a price change adds a new one. To use older prices,
        set “Prices as of”.
      </p>
      <div className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
        <h3 className="px-5 pt-4 pb-1 font-medium text-ink text-sm">Price changes</h3>
        <ChangeTable label="Price changes" changes={REPLACEMENTS} />
        <LazyDetails
          className="border-line border-t"
          summary={
            <summary className="px-5 py-3 font-medium text-ink text-sm hover:bg-hover">
              All {CHANGES.length} entries, newest first ({UNVERIFIED} unverified)
            </summary>
          }
          withoutScript={
            <p className="px-5 pb-4 text-sm">
              <a href="/api/v1/tco/catalogue">Download the catalog as JSON</a>
            </p>
          }
        >
          <div className="border-line border-t">
            <ChangeTable label="Catalog entries" changes={CHANGES} />
          </div>
        </LazyDetails>
      </div>
    </section>
  );
}

function ChangeTable({ label, changes }: { label: string; changes: readonly CatalogueChange[] }) {
  return (
    <Table label={label} className="min-w-[56rem] text-xs" stacks>
      <thead>
        <tr>
          <Th>Since</Th>
          <Th>Price of</Th>
          <Th>Amount</Th>
          <Th>Before</Th>
          <Th>Source</Th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ entry, before }) => (
          <Tr key={`${entry.item} ${entry.from}`}>
            <Td className="nums whitespace-nowrap" label="Since">
              {entry.from}
            </Td>
            <Td className="text-ink" stack="title">
              {entry.provider}: {entry.label}
            </Td>
            <Td className="nums" stack="foot" label="Amount:">
              {priceText(entry)} per {entry.unit}
            </Td>
            <Td className="nums" stack="foot" label="Before:">
              {before === null ? 'new' : priceText(before)}
            </Td>
            <Td stack="foot" label="Source:">
              {entry.source} ({entry.sourceDate}) {entry.verified ? null : <Badge tone="warn">unverified</Badge>}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
