'use client';

import { type Estimate, formatUsdCents, openFormula, type SystemEstimate } from '@penstock/pricing';
import { memo } from 'react';
import { Chevron } from '../chevron';
import { LazyDetails } from '../lazy-details';
import { BillLine, type Pin } from './bill-line';

type Available = SystemEstimate & { available: true };

/** The bills of all systems. */
export const Bills = memo(function Bills({ estimate, onPin }: { estimate: Estimate; onPin: Pin }) {
  return estimate.systems.map((system) => <Bill key={system.id} system={system} onPin={onPin} />);
});

/** The bill of one system. Each amount opens to show its formula. */
function Bill({ system, onPin }: { system: SystemEstimate; onPin: Pin }) {
  return (
    <LazyDetails
      className="group scroll-mt-24 border-line border-b last:border-b-0"
      id={`bill-${system.id}`}
      data-bill={system.id}
      summary={
        <summary className="flex items-center justify-between gap-4 px-4 py-3 text-sm hover:bg-hover sm:px-5">
          <span className="flex items-center gap-2 font-medium text-ink">
            <Chevron />
            {system.name}
          </span>
          <span className="nums text-ink-2">{system.available ? formatUsdCents(system.total) : 'not available'}</span>
        </summary>
      }
      withoutScript={system.available ? <PlainBill system={system} /> : <p className="p-4">{system.reason}</p>}
    >
      <div className="px-4 pb-4 sm:px-5">
        <p className="max-w-prose text-[0.8125rem] text-ink-3 leading-5">
          <strong className="font-medium text-ink-2">Assumptions.</strong> {system.configuration}
        </p>
        {system.available ? (
          <div className="mt-3 rounded-lg border border-line">
            {system.lines.map((line) => (
              <BillLine key={line.id} system={system} line={line} onPin={onPin} />
            ))}
            <p className="flex justify-between gap-4 px-3 py-2.5 font-semibold text-ink text-sm">
              <span>Total per month</span>
              <span className="nums">{formatUsdCents(system.total)}</span>
            </p>
          </div>
        ) : (
          <p className="mt-2 text-ink-2 text-sm">{system.reason}</p>
        )}
      </div>
    </LazyDetails>
  );
}

/** All line items with formulas and values in compact HTML, for browsers without JavaScript. */
function PlainBill({ system }: { system: Available }) {
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
