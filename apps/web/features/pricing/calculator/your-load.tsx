'use client';

import { type CalculatorState, type Estimate, formatUsd, sumUsd } from '@penstock/pricing';
import { memo } from 'react';

/** What Penstock costs for the load of the calculator, in three numbers. */
export const YourLoad = memo(function YourLoad({
  estimate,
  state,
  ours,
  rival,
}: {
  estimate: Estimate;
  state: CalculatorState;
  ours: string;
  rival: string;
}) {
  const find = (id: string) => estimate.systems.find((system) => system.id === id);
  const mine = find(ours);
  const other = find(rival);
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
      {mine?.available ? (
        <>
          <dl className="mt-4 flex flex-col gap-2 text-sm">
            {mine.lines
              .filter((line) => line.component === 'vendor fee')
              .map((line) => (
                <div key={line.id} className="flex justify-between gap-4">
                  <dt className="text-ink-2">{line.label}</dt>
                  <dd className="nums text-ink">{formatUsd(line.amount)}</dd>
                </div>
              ))}
            <div className="flex justify-between gap-4 border-line border-t pt-2">
              <dt className="font-medium text-ink">You pay us</dt>
              <dd className="nums font-semibold text-ink">{formatUsd(fee(mine.lines))}</dd>
            </div>
            <div className="flex justify-between gap-4">
              <dt className="text-ink-2">You pay your cloud provider</dt>
              <dd className="nums text-ink">{formatUsd(mine.total.minus(fee(mine.lines)))}</dd>
            </div>
          </dl>
          <p className="mt-auto pt-5">
            <span data-testid="our-total" className="nums font-semibold text-3xl text-ink tracking-tight">
              {formatUsd(mine.total)}
            </span>
            <span className="text-ink-3 text-sm"> per month in total</span>
          </p>
          {other?.available ? (
            <p className="mt-1 text-[0.8125rem] text-ink-3 leading-5">
              With {mine.name}. {other.name} would cost <span className="nums">{formatUsd(other.total)}</span>.
            </p>
          ) : null}
        </>
      ) : (
        <p className="mt-4 text-ink-2 text-sm">{mine?.reason}</p>
      )}
    </section>
  );
});

function fee(lines: readonly { component: string; amount: Parameters<typeof formatUsd>[0] }[]) {
  return sumUsd(lines.filter((line) => line.component === 'vendor fee').map((line) => line.amount));
}
