'use client';

import {
  explain,
  formatNumber,
  formatUnitPrice,
  formatUsdCents,
  type LineItem,
  openFormula,
  restsOnSmallBench,
  type SystemEstimate,
} from '@penstock/pricing';
import { Badge } from '@penstock/ui';
import { Chevron } from '../chevron';
import { LazyDetails } from '../lazy-details';
import { COMPONENT_COLOURS } from './component-colours';

/** Replaces a computed cell with the reader's own value. */
export type Pin = (name: string, value: string) => void;
interface LineProps {
  system: SystemEstimate & { available: true };
  line: LineItem;
  onPin: Pin;
}

/** One line item of a bill. It opens to show its formula with values, down to the inputs. */
export function BillLine({ system, line, onPin }: LineProps) {
  // With another basis of CPU, the machines of other systems rest on something else.
  const marksBench = system.cpu?.kind === 'measured';
  return (
    <LazyDetails
      className="border-line border-b"
      data-line={line.id}
      summary={
        <summary className="flex items-center justify-between gap-4 px-3 py-2.5 text-sm hover:bg-hover">
          <span className="flex min-w-0 items-center gap-2 text-ink-2">
            <Chevron />
            <span
              aria-hidden
              className="size-2.5 shrink-0 rounded-[3px]"
              style={{ background: COMPONENT_COLOURS[line.component], printColorAdjust: 'exact' }}
            />
            <span className="min-w-0">
              {line.label} <span className="text-ink-3 text-xs">({line.component})</span>{' '}
              {marksBench && restsOnSmallBench(line) ? <Badge tone="warn">measured on two cores</Badge> : null}
            </span>
          </span>
          <span className="nums font-medium text-ink underline decoration-line-strong decoration-dotted underline-offset-4">
            {formatUsdCents(line.amount)}
          </span>
        </summary>
      }
    >
      <LineFormula system={system} line={line} />
      <Variables system={system} line={line} onPin={onPin} />
    </LazyDetails>
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
          <dd className="text-ink-2">Charged even when nothing is written: {line.floor}.</dd>
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
              <span className="text-ink-3"> · input</span>
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
                Override {variable.symbol}
              </button>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
