'use client';

import { Table, Td, Th, Tr } from '@penstock/ui';
import Link from 'next/link';
import { useState } from 'react';
import type { Line } from './line.types';
import { LineOriginDialog } from './line-origin-dialog';
import { exactMoney, money, quantityText } from './money';

/** Credits pay a bill. They are not part of its subtotal, so they are among the totals. */
export function isCredit({ product }: Line): boolean {
  return product === 'credit';
}

/** The line items of a bill, which sum to its subtotal. Those from usage link to their origin. */
export function LineTable({ invoice, lines }: { invoice: string; lines: readonly Line[] }) {
  const [asked, setAsked] = useState<Line | null>(null);
  return (
    <>
      <Table label="Invoice lines" stacks>
        <thead>
          <tr>
            <Th>Description</Th>
            <Th numeric>Quantity</Th>
            <Th numeric>Unit price</Th>
            <Th numeric>Amount</Th>
          </tr>
        </thead>
        <tbody>
          {lines
            .filter((line) => !isCredit(line))
            .map((line) => (
              <Tr key={line.position}>
                <Td className="min-w-56 text-ink" stack="title">
                  {line.description}
                  <span className="flex flex-wrap gap-x-3 font-normal text-ink-3 text-xs leading-5">
                    {line.priceBookId === null ? null : <span>Price book {line.priceBookId}</span>}
                    {line.product === 'held' ? (
                      <Link
                        href="/docs/pricing#unusual-usage"
                        className="rounded text-accent-ink underline underline-offset-4 print:hidden"
                      >
                        Why it is held
                      </Link>
                    ) : null}
                    {line.firstHour === null ? null : (
                      <button
                        type="button"
                        onClick={() => setAsked(line)}
                        className="rounded text-accent-ink underline underline-offset-4 print:hidden"
                      >
                        View line details
                      </button>
                    )}
                  </span>
                </Td>
                <Td numeric>
                  {line.quantity === null || line.unit === null ? (
                    ''
                  ) : (
                    <span title={line.unit === 'GiB' ? `${line.quantity.toLocaleString('en-US')} bytes` : undefined}>
                      {quantityText(line.quantity, line.unit)} {unitText(line)}
                    </span>
                  )}
                </Td>
                <Td numeric label="×">
                  {line.unitPriceUsd === null ? '' : exactMoney(line.unitPriceUsd)}
                </Td>
                <Td numeric className="font-medium text-ink" stack="aside">
                  {money(line.amountUsd)}
                </Td>
              </Tr>
            ))}
        </tbody>
      </Table>
      <LineOriginDialog invoice={invoice} line={asked} onClose={() => setAsked(null)} />
    </>
  );
}

function unitText({ quantity, unit }: Line): string {
  return unit === 'GiB' ? 'GiB' : quantity === 1n ? 'minute' : 'minutes';
}
