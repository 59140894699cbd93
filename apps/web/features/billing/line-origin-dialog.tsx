'use client';

import { CodeBlock, Dialog, Notice, Table, Td, Th, Tr } from '@penstock/ui';
import { skipToken, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
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
    <Dialog
      open={line !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title="Line details"
      description={line?.description}
    >
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
      <div className="max-h-80 overflow-y-auto rounded-lg border border-line">
        <Table label="Hours of this line" stacks className="[&_td]:px-2.5 [&_th]:px-2.5">
          <thead className="sticky top-0 bg-surface">
            <tr>
              <Th>Hour (UTC)</Th>
              <Th numeric>{quantityHeader}</Th>
              <Th numeric>Cost</Th>
              <Th>Journal</Th>
            </tr>
          </thead>
          <tbody>
            {origin.hours.map((hour) => {
              const key = hour.hour.getTime();
              const isOpen = openHour === key;
              return (
                <Fragment key={key}>
                  <Tr>
                    <Td className="nums whitespace-nowrap" stack="title">
                      {hourText(hour.hour)}
                    </Td>
                    <Td numeric label={quantityHeader}>
                      {quantityText(hour.quantity, unit)}
                    </Td>
                    <Td numeric stack="aside">
                      {exactMoney(hour.amountUsd)}
                    </Td>
                    <Td className="whitespace-nowrap" label="Journal">
                      <button
                        type="button"
                        aria-expanded={isOpen}
                        onClick={() => setOpenHour(isOpen ? null : key)}
                        className="nums rounded text-accent-ink underline underline-offset-4"
                      >
                        {hour.firstSeq.toLocaleString('en-US')} to {hour.lastSeq.toLocaleString('en-US')}
                      </button>
                    </Td>
                  </Tr>
                  {isOpen ? (
                    <Tr>
                      <Td colSpan={4} stack="foot" className="bg-inset text-[0.8125rem] leading-5">
                        Entries {hour.firstSeq.toLocaleString('en-US')} to {hour.lastSeq.toLocaleString('en-US')} of the
                        journal of cluster <span className="break-all font-mono">{origin.line.clusterId}</span>: all
                        writes acknowledged in this hour, in order, by the server’s clock.
                      </Td>
                    </Tr>
                  ) : null}
                </Fragment>
              );
            })}
          </tbody>
        </Table>
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
