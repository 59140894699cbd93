import { type CatalogueEntry, catalogueChanges } from '@penstock/pricing';
import { Badge, Table, Td, Th, Tr } from '@penstock/ui';

const priceText = (entry: CatalogueEntry) => entry.tiers.map((tier) => `$${tier.usd}`).join(', ');

/** The catalogue's changelog: entries are added, never edited. */
export function ChangelogSection() {
  return (
    <section aria-labelledby="changelog" className="mt-12 print:hidden">
      <h2 id="changelog" className="font-semibold text-ink text-xl tracking-tight">
        Price catalogue and changelog
      </h2>
      <p className="mt-1 max-w-prose text-ink-2 text-sm leading-6">
        Every price has a date and a source and is never edited. A change is a new entry; the older one stays and can be
        brought back with “Prices as of”.
      </p>
      <details className="mt-4 rounded-xl border border-line bg-surface">
        <summary className="px-5 py-3 font-medium text-ink text-sm hover:bg-hover">All entries, newest first</summary>
        <div className="border-line border-t">
          <Table label="Catalogue entries" className="min-w-[56rem] text-xs">
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
              {catalogueChanges().map(({ entry, before }) => (
                <Tr key={`${entry.item} ${entry.from}`}>
                  <Td className="nums whitespace-nowrap">{entry.from}</Td>
                  <Td className="text-ink">
                    {entry.provider}: {entry.label}
                  </Td>
                  <Td className="nums">
                    {priceText(entry)} per {entry.unit}
                  </Td>
                  <Td className="nums">{before === null ? 'new' : priceText(before)}</Td>
                  <Td>
                    {entry.source} ({entry.sourceDate}) {entry.verified ? null : <Badge tone="warn">unverified</Badge>}
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </div>
      </details>
    </section>
  );
}
