'use client';

import {
  explain,
  formatNumber,
  formatUnitPrice,
  formatUsdCents,
  type LineItem,
  openFormula,
  type SystemEstimate,
} from '@penstock/pricing';
import { Badge } from '@penstock/ui';
import { memo, useState } from 'react';
import { Chevron } from '../chevron';
import { COMPONENT_COLOURS } from './component-colours';
import { useHydrated } from './use-hydrated';

type Pin = (name: string, value: string) => void;

/**
 * The bill of one system. Each amount opens into its formula. Without JavaScript all of it is in the page; with it, what is
 * closed is not drawn, so that a dragged slider redraws little.
 */
export const Bill = memo(function Bill({ system, onPin }: { system: SystemEstimate; onPin: Pin }) {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  return (
    <details
      className="group border-line border-b last:border-b-0"
      data-bill={system.id}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary className="flex items-baseline justify-between gap-4 px-4 py-3 text-sm hover:bg-hover sm:px-5">
        <span className="flex items-center gap-2 font-medium text-ink">
          <Chevron />
          {system.name}
        </span>
        <span className="nums text-ink-2">{system.available ? formatUsdCents(system.total) : 'not available'}</span>
      </summary>
      {open || !hydrated ? (
        <div className="px-4 pb-4 sm:px-5">
          <p className="max-w-prose text-[0.8125rem] text-ink-3 leading-5">
            <strong className="font-medium text-ink-2">How it is drawn.</strong> {system.drawnAs}
          </p>
          {system.available ? (
            <div className="mt-3 rounded-lg border border-line">
              {system.lines.map((line) => (
                <Line key={line.id} system={system} line={line} onPin={onPin} />
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
      ) : null}
    </details>
  );
});

type LineProps = { system: SystemEstimate & { available: true }; line: LineItem; onPin: Pin };

function Line({ system, line, onPin }: LineProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="border-line border-b"
      data-line={line.id}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex items-center justify-between gap-4 px-3 py-2.5 text-sm hover:bg-hover">
        <span className="flex min-w-0 items-center gap-2 text-ink-2">
          <Chevron />
          <span
            aria-hidden
            className="size-2.5 shrink-0 rounded-[3px]"
            style={{ background: COMPONENT_COLOURS[line.component] }}
          />
          <span className="min-w-0">
            {line.label} <span className="text-ink-3 text-xs">({line.component})</span>
          </span>
        </span>
        <span className="nums font-medium text-ink underline decoration-line-strong decoration-dotted underline-offset-4">
          {formatUsdCents(line.amount)}
        </span>
      </summary>
      <LineFormula system={system} line={line} />
      {open ? <Variables system={system} line={line} onPin={onPin} /> : null}
    </details>
  );
}

function LineFormula({ system, line }: Omit<LineProps, 'onPin'>) {
  const { entry } = line.price;
  const first = line.parts.length === 1 ? line.parts[0] : undefined;
  const { symbols, filledIn } = openFormula(system, line);
  return (
    <dl className="grid gap-x-4 gap-y-1.5 bg-inset/50 px-3 py-3 text-[0.8125rem] leading-5 sm:grid-cols-[7rem_1fr]">
      <dt className="text-ink-3">In words</dt>
      <dd className="text-ink-2">{line.formula.words}, times the price</dd>
      <dt className="text-ink-3">In symbols</dt>
      <dd className="break-words font-mono text-ink-2 text-xs leading-5">{symbols} × price</dd>
      <dt className="text-ink-3">With values</dt>
      <dd className="break-words font-mono text-ink text-xs leading-5">
        {filledIn} = {formatNumber(line.quantity, 9)} {line.unit}
        {first === undefined
          ? line.parts.map((part) => (
              <span key={part.unitPrice.toFixed()} className="block">
                {formatNumber(part.quantity, 9)} {line.unit} × {formatUnitPrice(part.unitPrice)}
              </span>
            ))
          : ` × ${formatUnitPrice(first.unitPrice)}`}{' '}
        = {formatUsdCents(line.amount)}
      </dd>
      <dt className="text-ink-3">Price</dt>
      <dd className="text-ink-2">
        {entry.label}, per {entry.unit}
        {line.priceFactor.eq(1) ? '' : `, times ${line.priceFactor.toFixed()}`}.{' '}
        {line.price.overridden ? 'Your own price.' : `${entry.source} (${entry.sourceDate}).`}{' '}
        {entry.verified || line.price.overridden ? null : <Badge tone="warn">unverified</Badge>}
      </dd>
      {line.floor === null ? null : (
        <>
          <dt className="text-ink-3">When idle</dt>
          <dd className="text-ink-2">Costs something even when nothing is written: {line.floor}.</dd>
        </>
      )}
    </dl>
  );
}

function Variables({ system, line, onPin }: LineProps) {
  const variables = explain(system, line);
  return (
    <ul className="divide-y divide-line border-line border-t" aria-label={`Variables of ${line.label}`}>
      {variables.map((variable) => (
        <li
          key={variable.symbol}
          className="grid gap-x-4 gap-y-0.5 px-3 py-2 text-[0.8125rem] leading-5 sm:grid-cols-[10rem_1fr]"
        >
          <span className="break-words font-mono text-ink text-xs leading-5">{variable.symbol}</span>
          <span className="min-w-0 text-ink-2">
            <span className="nums text-ink">{formatNumber(variable.value, 9)}</span> {variable.unit} · {variable.label}
            {variable.formula === null ? (
              <span className="text-ink-3"> · an input</span>
            ) : (
              <span className="block break-words font-mono text-ink-3 text-xs leading-5">
                = {variable.formula} = {variable.filledIn}
              </span>
            )}
            {variable.pin === null ? null : (
              <button
                type="button"
                className="rounded text-accent-ink text-xs underline underline-offset-2 print:hidden"
                onClick={() => onPin(variable.pin ?? '', variable.value.toFixed())}
              >
                Replace {variable.symbol} by a value of your own
              </button>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
