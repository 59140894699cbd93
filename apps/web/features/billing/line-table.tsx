'use client';

import { Button, Table, Td, Th, Tr } from '@penstock/ui';
import { useState } from 'react';
import type { RouterOutputs } from '../../lib/trpc';
import { LineOriginDialog } from './line-origin-dialog';
import { exactMoney, money, quantityText } from './money';

export type Line = RouterOutputs['billing']['draft']['lines'][number];

/** The line items of a bill. Those from usage link to their origin. */
export function LineTable({ invoice, lines }: { invoice: string; lines: readonly Line[] }) {
  const [asked, setAsked] = useState<Line | null>(null);
  return (
    <>
      <Table label="Invoice lines">
        <thead>
          <tr>
            <Th>Description</Th>
            <Th numeric>Quantity</Th>
            <Th numeric>Unit price</Th>
            <Th numeric className="max-sm:hidden">
              Amount
            </Th>
            <Th className="print:hidden">
              <span className="sr-only">Details</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Tr key={line.position}>
              <Td className="min-w-56 text-ink">
                {line.description}
                {line.priceBookId === null ? null : (
                  <span className="block text-ink-3 text-xs">Price book {line.priceBookId}</span>
                )}
                {/* On a narrow screen the last column would be out of view. */}
                <span className="nums mt-1 block font-medium sm:hidden">{money(line.amountUsd)}</span>
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
              <Td numeric>{line.unitPriceUsd === null ? '' : exactMoney(line.unitPriceUsd)}</Td>
              <Td numeric className="font-medium text-ink max-sm:hidden">
                {money(line.amountUsd)}
              </Td>
              <Td className="text-right print:hidden">
                {line.firstHour === null ? null : (
                  <Button size="sm" variant="quiet" onClick={() => setAsked(line)}>
                    View line details
                  </Button>
                )}
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
