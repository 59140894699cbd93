'use client';

import Link from 'next/link';
import { useState } from 'react';
import { DataTable } from '../../lib/table';
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
      <DataTable
        label="Invoice lines"
        noun="line"
        isPlain
        rows={lines.filter((line) => !isCredit(line))}
        rowKey={({ position }) => position}
        columns={[
          {
            key: 'description',
            header: 'Description',
            stack: 'title',
            className: 'min-w-56 text-ink',
            cell: (line) => <Description line={line} onAsk={() => setAsked(line)} />,
          },
          { key: 'quantity', header: 'Quantity', numeric: true, cell: (line) => <Quantity line={line} /> },
          {
            key: 'price',
            header: 'Unit price',
            label: '×',
            numeric: true,
            cell: ({ unitPriceUsd }) => (unitPriceUsd === null ? '' : exactMoney(unitPriceUsd)),
          },
          {
            key: 'amount',
            header: 'Amount',
            stack: 'aside',
            numeric: true,
            className: 'font-medium text-ink',
            cell: ({ amountUsd }) => money(amountUsd),
          },
        ]}
      />
      <LineOriginDialog invoice={invoice} line={asked} onClose={() => setAsked(null)} />
    </>
  );
}

function Description({ line, onAsk }: { line: Line; onAsk: () => void }) {
  return (
    <>
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
            onClick={onAsk}
            className="rounded text-accent-ink underline underline-offset-4 print:hidden"
          >
            View line details
          </button>
        )}
      </span>
    </>
  );
}

function Quantity({ line }: { line: Line }) {
  const { quantity, unit } = line;
  return quantity === null || unit === null ? null : (
    <span title={unit === 'GiB' ? `${quantity.toLocaleString('en-US')} bytes` : undefined}>
      {quantityText(quantity, unit)} {unitText(line)}
    </span>
  );
}

function unitText({ quantity, unit }: Line): string {
  return unit === 'GiB' ? 'GiB' : quantity === 1n ? 'minute' : 'minutes';
}
