'use client';

import {
  type CalculatorState,
  formatUsdCents,
  type LineItem,
  openFormula,
  type SystemEstimate,
  type Usd,
} from '@penstock/pricing';
import { Badge } from '@penstock/ui';
import { memo, type ReactNode, useMemo } from 'react';
import { Chevron } from '../chevron';
import { LazyDetails } from '../lazy-details';
import { BillLine, type Pin } from './bill-line';
import { type BillHead, estimateSystem } from './prepare-estimate';

interface BillProps {
  bill: BillHead;
  /** The state that the bill was made for. */
  state: CalculatorState;
  onPin: Pin;
}

/** The bills of all systems. */
export const Bills = memo(function Bills({
  bills,
  state,
  onPin,
}: Omit<BillProps, 'bill'> & { bills: readonly BillHead[] }) {
  return bills.map((bill) => <Bill key={bill.id} bill={bill} state={state} onPin={onPin} />);
});

/** The bill of one system. Each amount opens to show its formula. */
function Bill({ bill, state, onPin }: BillProps) {
  return (
    <LazyDetails
      className="group scroll-mt-24 border-line border-b last:border-b-0"
      id={`bill-${bill.id}`}
      data-bill={bill.id}
      summary={
        <summary className="flex items-center justify-between gap-4 px-4 py-3 text-sm hover:bg-hover sm:px-5">
          <span className="flex items-center gap-2 font-medium text-ink">
            <Chevron />
            {bill.name}
          </span>
          <span className="nums text-ink-2">{bill.totalText ?? 'not available'}</span>
        </summary>
      }
      withoutScript={<PlainBill id={bill.id} state={state} />}
    >
      <OpenBill bill={bill} state={state} onPin={onPin} />
    </LazyDetails>
  );
}

/** Only opened bills need lines and formulas, so they are computed here: one system takes a tenth of a millisecond. */
function OpenBill({ bill, state, onPin }: BillProps) {
  const system = useMemo(() => estimateSystem(state, bill.id), [state, bill.id]);
  return (
    <div className="px-4 pb-4 sm:px-5">
      <p className="max-w-prose text-[0.8125rem] text-ink-3 leading-5">
        <strong className="font-medium text-ink-2">Assumptions.</strong> {bill.configuration}
      </p>
      {system.available && system.cpu !== null ? (
        <p className="mt-1.5 max-w-prose text-[0.8125rem] text-ink-3 leading-5">
          <Badge tone={system.cpu.kind === 'measured' ? 'neutral' : 'warn'}>CPU {system.cpu.kind}</Badge>{' '}
          {system.cpu.note}
        </p>
      ) : null}
      {system.available ? (
        <div className="mt-3 rounded-lg border border-line">
          <BillPart lines={cloudLines(system)} title="Your cloud provider bills" total={system.infrastructure}>
            {(line) => <BillLine key={line.id} system={system} line={line} onPin={onPin} />}
          </BillPart>
          <BillPart lines={feeLines(system)} title="The vendor bills" total={system.total.minus(system.infrastructure)}>
            {(line) => <BillLine key={line.id} system={system} line={line} onPin={onPin} />}
          </BillPart>
          <p className="flex justify-between gap-4 px-3 py-2.5 font-semibold text-ink text-sm">
            <span>Total per month</span>
            <span className="nums">{formatUsdCents(system.total)}</span>
          </p>
        </div>
      ) : (
        <p className="mt-2 text-ink-2 text-sm">{system.reason}</p>
      )}
    </div>
  );
}

type Available = SystemEstimate & { available: true };
const cloudLines = ({ lines }: Available) => lines.filter((line) => line.component !== 'vendor fee');
const feeLines = ({ lines }: Available) => lines.filter((line) => line.component === 'vendor fee');

/** The lines that one party bills, with their sum. Nothing when there are none. */
function BillPart({
  lines,
  title,
  total,
  children,
}: {
  lines: readonly LineItem[];
  title: string;
  total: Usd;
  children: (line: LineItem) => ReactNode;
}) {
  return lines.length === 0 ? null : (
    <>
      {lines.map(children)}
      <p className="flex justify-between gap-4 border-line border-b bg-inset/50 px-3 py-2 text-ink-2 text-sm">
        <span>{title}</span>
        <span className="nums text-ink">{formatUsdCents(total)}</span>
      </p>
    </>
  );
}

/** All line items with formulas and values in compact HTML, for browsers without JavaScript. */
function PlainBill({ id, state }: { id: string; state: CalculatorState }) {
  const system = estimateSystem(state, id);
  if (!system.available) {
    return <p className="p-4">{system.reason}</p>;
  }
  return (
    <dl className="px-5 pb-4 text-[0.8125rem] text-ink-2 leading-5">
      {system.lines.map((line) => {
        const { symbols, filledIn } = openFormula(system, line);
        return (
          <div key={line.id} data-line={line.id}>
            <dt className="mt-2 text-ink">
              {line.label}: {formatUsdCents(line.amount)}
            </dt>
            <dd>
              {symbols} × price = {filledIn} {line.unit} × ${line.unitPrice.toDecimalPlaces(9).toFixed()}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
