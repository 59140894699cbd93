'use client';

import type { CalculatorState } from '@penstock/pricing';
import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import type { LoadCost } from '../results/prepare-estimate';

/** The cost of the calculator's load with Penstock, in three numbers. */
export const YourLoad = memo(function YourLoad({ cost, state }: { cost: LoadCost; state: CalculatorState }) {
  const { throughput, throughputUnit, throughputBasis, retentionDays, fanout } = state.inputs;
  return (
    <section
      aria-labelledby="your-load"
      className="flex flex-col rounded-xl border border-line bg-surface p-5 shadow-raised"
    >
      <h2 id="your-load" className="font-semibold text-[0.9375rem] text-ink">
        For your load
      </h2>
      <p className="mt-1 text-[0.8125rem] text-ink-3 leading-5">
        {throughput} {throughputUnit} {throughputBasis === 'compressed' ? 'after' : 'before'} compression, {fanout}{' '}
        readers, {retentionDays} days of retention.{' '}
        <a href="#calculator" className="rounded text-accent-ink underline underline-offset-2">
          Change
        </a>
      </p>
      {cost.isAvailable ? (
        <>
          <dl className="mt-4 flex flex-col gap-2 text-sm">
            {cost.fees.map((fee) => (
              <div key={fee.id} className="flex justify-between gap-4">
                <dt className="text-ink-2">{fee.label}</dt>
                <dd className="nums text-ink">{fee.text}</dd>
              </div>
            ))}
            <div className="flex justify-between gap-4 border-line border-t pt-2">
              <dt className="font-medium text-ink">You pay us</dt>
              <dd className="nums font-semibold text-ink">{cost.feeText}</dd>
            </div>
            <div className="flex justify-between gap-4">
              <dt className="text-ink-2">You pay your cloud provider</dt>
              <dd className="nums text-ink">{cost.cloudText}</dd>
            </div>
          </dl>
          <p className="mt-auto pt-5">
            <span data-testid="our-total" className="nums font-semibold text-3xl text-ink tracking-tight">
              {cost.totalText}
            </span>
            <span className="text-ink-3 text-sm"> per month in total</span>
          </p>
          <ul className="mt-2 flex flex-col gap-1.5 text-[0.8125rem] text-ink-2 leading-5" data-testid="caveats">
            {cost.caveats.map((caveat) => (
              <li key={caveat} className="flex gap-2">
                <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn-ink" />
                <span>{caveat}</span>
              </li>
            ))}
          </ul>
          {cost.rival === null ? null : (
            <p className="mt-1 text-[0.8125rem] text-ink-3 leading-5">
              With {cost.name}. {cost.rival.name} would cost <span className="nums">{cost.rival.totalText}</span>.
            </p>
          )}
        </>
      ) : (
        <p className="mt-4 text-ink-2 text-sm">{cost.reason}</p>
      )}
    </section>
  );
});
