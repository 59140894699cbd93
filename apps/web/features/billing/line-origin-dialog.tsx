'use client';

import { CodeBlock, Dialog, Notice } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../lib/table';
import { QueryState, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { hourText } from './dates';
import type { Line } from './line.types';
import { exactMoney, money, quantityText } from './money';

type Origin = RouterOutputs['billing']['lineOrigin'];

/** Traces a line item to its hours, and an hour to the section of the journal it was folded from. */
export function LineOriginDialog(props: { invoice: string; line: Line | null; onClose: () => void }) {
  const { invoice, line, onClose } = props;
  const trpc = useTRPC();
  const origin = useQuery(
    trpc.billing.lineOrigin.queryOptions(line === null ? skipToken : { invoice, position: line.position }),
  );
  return (
    <Dialog open={line !== null} onClose={onClose} title="Line details" description={line?.description}>
      <QueryState query={origin} label="Loading line details" rows={5}>
        {(data) => <Hours origin={data} invoice={invoice} />}
      </QueryState>
    </Dialog>
  );
}

function Hours({ origin, invoice }: { origin: Origin; invoice: string }) {
  const [openHour, setOpenHour] = useState<number | null>(null);
  const unit = origin.line.unit ?? 'GiB';
  const quantityHeader = unit === 'GiB' ? 'GiB' : 'Minutes';
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-2 leading-6">
        {origin.hours.length === 1 ? 'One hour adds' : `${origin.hours.length.toLocaleString('en-US')} hours add`} up to{' '}
        <strong className="font-medium text-ink">{money(origin.line.amountUsd)}</strong>. Only the line is rounded to
        the cent, not the hours.
      </p>
      {origin.lateQuantity === 0n ? null : (
        <Notice title="Some usage was counted after this invoice was final">
          {quantityText(origin.lateQuantity, unit)} {unit === 'GiB' ? 'GiB' : 'minutes'} of these hours are a correction
          on the next invoice.
        </Notice>
      )}
      <div className="rounded-lg border border-line">
        <DataTable
          label="Hours of this line"
          noun="hour"
          isPlain
          boxClassName="max-h-80 overflow-y-auto rounded-lg"
          rows={origin.hours}
          rowKey={({ hour }) => hour.getTime()}
          details={({ hour, firstSeq, lastSeq }) =>
            openHour === hour.getTime() ? (
              <p className="text-[0.8125rem] leading-5">
                Entries {formatCount(firstSeq)} to {formatCount(lastSeq)} of the journal of cluster{' '}
                <span className="break-all font-mono">{origin.line.clusterId}</span>: all writes acknowledged in this
                hour, in order, by the server’s clock.
              </p>
            ) : null
          }
          columns={[
            {
              key: 'hour',
              header: 'Hour (UTC)',
              stack: 'title',
              className: 'nums whitespace-nowrap',
              value: ({ hour }) => hour,
              cell: ({ hour }) => hourText(hour),
            },
            {
              key: 'quantity',
              header: quantityHeader,
              label: quantityHeader,
              numeric: true,
              cell: ({ quantity }) => quantityText(quantity, unit),
            },
            {
              key: 'cost',
              header: 'Cost',
              stack: 'aside',
              numeric: true,
              cell: ({ amountUsd }) => exactMoney(amountUsd),
            },
            {
              key: 'journal',
              header: 'Journal',
              label: 'Journal',
              className: 'whitespace-nowrap',
              cell: ({ hour, firstSeq, lastSeq }) => {
                const isOpen = openHour === hour.getTime();
                return (
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    onClick={() => setOpenHour(isOpen ? null : hour.getTime())}
                    className="nums rounded text-accent-ink underline underline-offset-4"
                  >
                    {formatCount(firstSeq)} to {formatCount(lastSeq)}
                  </button>
                );
              },
            },
          ]}
        />
      </div>
      <div className="flex flex-col gap-2">
        <p className="text-ink-2 leading-6">
          You can also get these hours from the API. If a line looks wrong, contact us and we’ll recompute the month
          from the journal.
        </p>
        <CodeBlock
          title="Get these hours from the API"
          code={`curl --fail-with-body -H "Authorization: Bearer $PENSTOCK_API_KEY" \\\n  "${window.location.origin}/api/v1/invoices/${invoice}/lines/${origin.line.position}/origin"`}
        />
      </div>
    </div>
  );
}
