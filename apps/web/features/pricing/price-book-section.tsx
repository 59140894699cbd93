import { type PriceBook, priceBookOn } from '@penstock/pricing';
import { Table, Td, Th, Tr } from '@penstock/ui';
import Link from 'next/link';

function stepText(book: PriceBook, index: number): string {
  const tib = (gib: string | null | undefined) => (gib === null || gib === undefined ? null : Number(gib) / 1024);
  const from = index === 0 ? 0 : (tib(book.writes[index - 1]?.upToGib) ?? 0);
  const to = tib(book.writes[index]?.upToGib);
  if (to === null) {
    return `Above ${from.toLocaleString('en-US')} TiB`;
  }
  return index === 0 ? `First ${to} TiB in a month` : `Next ${(to - from).toLocaleString('en-US')} TiB`;
}

/** Our prices in plain words. */
export function PriceBookSection({ day }: { day: string }) {
  const book = priceBookOn(day);
  return (
    <section aria-labelledby="price-book" className="min-w-0 rounded-xl border border-line bg-surface shadow-raised">
      <div className="px-5 pt-5">
        <h2 id="price-book" className="font-semibold text-[0.9375rem] text-ink">
          Our prices
        </h2>
        <p className="mt-1 max-w-prose text-[0.8125rem] text-ink-3 leading-5">
          You pay us for writes and for each minute in which at least one agent of the cluster was alive. Your cloud
          provider bills storage, machines and requests. Valid from {book.from}.{' '}
          <Link href="/docs/pricing" className="font-medium text-accent-ink underline underline-offset-4">
            What a cluster-minute is
          </Link>
          , and what happens when the mode changes.
        </p>
      </div>
      <div className="mt-4 grid border-line border-t md:grid-cols-2">
        <div className="min-w-0 md:border-line md:border-r">
          <Table label="Price of writes">
            <thead>
              <tr>
                <Th>Uncompressed writes, all clusters</Th>
                <Th numeric>per GiB</Th>
              </tr>
            </thead>
            <tbody>
              {book.writes.map((tier, index) => (
                <Tr key={tier.usdPerGib}>
                  <Td className="text-ink">{stepText(book, index)}</Td>
                  <Td numeric>${tier.usdPerGib}</Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        </div>
        <div className="min-w-0 border-line border-t md:border-t-0">
          <Table label="Price of clusters">
            <thead>
              <tr>
                <Th>Cluster</Th>
                <Th numeric>per minute</Th>
              </tr>
            </thead>
            <tbody>
              <Tr>
                <Td className="text-ink">
                  Dev{' '}
                  <span className="block text-ink-3 text-xs">
                    up to {book.dev.maxWrittenMibPerSecond} MiB/s before compression and{' '}
                    {book.dev.maxPartitions.toLocaleString('en-US')} partitions, no SLA
                  </span>
                </Td>
                <Td numeric>$0</Td>
              </Tr>
              <Tr>
                <Td className="text-ink">Standard</Td>
                <Td numeric>${book.clusterUsdPerMinute.standard}</Td>
              </Tr>
              <Tr>
                <Td className="text-ink">
                  Low latency <span className="block text-ink-3 text-xs">on S3 Express One Zone</span>
                </Td>
                <Td numeric>${book.clusterUsdPerMinute['low-latency']}</Td>
              </Tr>
            </tbody>
          </Table>
        </div>
      </div>
      <p className="border-line border-t px-5 py-4 text-ink-2 text-sm leading-6">
        There is no fee for storage, reads, partitions, agents or cores. Your first organization gets $
        {book.signUpCreditUsd} in credits that never expire.
      </p>
    </section>
  );
}
