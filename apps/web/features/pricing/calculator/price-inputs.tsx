'use client';

import { catalogueOn, type FieldErrors, PINNABLE } from '@penstock/pricing';
import { Badge, cx, INPUT_CLASS } from '@penstock/ui';
import { memo, useCallback } from 'react';
import { Chevron } from '../chevron';
import { LazyDetails } from '../lazy-details';
import type { Fields } from './fields';
import { holdsWords } from './search';

interface Props {
  /** Items that the current estimate uses. */
  items: readonly string[];
  /** Words of a search; only prices that hold them are shown. Empty without a search. */
  words: readonly string[];
  asOf: string;
  fields: Fields;
  errors: FieldErrors;
  onChange: (key: string, text: string) => void;
  onReset: (key: string) => void;
}

/** The prices behind the estimate with their sources. The reader can override prices, and sees which values were replaced. */
export const PriceInputs = memo(function PriceInputs({
  items: used,
  words,
  asOf,
  fields,
  errors,
  onChange,
  onReset,
}: Props) {
  const { prices } = catalogueOn(asOf);
  const items = used.filter((item) => {
    const entry = prices.get(item)?.entry;
    return entry !== undefined && holdsWords([item, entry.label, entry.provider, entry.source], words);
  });
  const changePrice = useCallback(
    (key: string, text: string) => (text === '' ? onReset(key) : onChange(key, text)),
    [onChange, onReset],
  );
  const pins = Object.keys(fields).filter((key) => key.startsWith('pin.'));
  const own = Object.keys(fields).filter((key) => key.startsWith('price.')).length;
  const wrong = Object.keys(errors).some((key) => key === 'asOf' || (key.startsWith('price.') && fields[key] !== ''));
  return (
    <>
      <LazyDetails
        className="border-line border-b"
        data-group="prices"
        startsOpen={own > 0}
        mustOpen={wrong || (words.length > 0 && items.length > 0)}
        summary={
          <summary className="flex items-center justify-between gap-3 py-3 pr-4 pl-6 font-medium text-ink text-sm hover:bg-hover">
            <span className="flex items-center gap-2">
              <Chevron />
              Prices
            </span>
            {own > 0 ? (
              <Badge tone="accent">{own} changed</Badge>
            ) : (
              <span className="font-normal text-ink-3 text-xs">{items.length}</span>
            )}
          </summary>
        }
      >
        <div className="flex flex-col gap-4 px-4 pt-1 pb-5">
          <Row
            name="asOf"
            label="Prices as of"
            unit="YYYY-MM-DD"
            placeholder=""
            text={fields['asOf'] ?? asOf}
            error={errors['asOf']}
            hint="Use the catalog’s prices for an earlier date."
            onChange={onChange}
          />
          {items.map((item) => {
            const price = prices.get(item);
            if (price === undefined) {
              return null;
            }
            const steps = price.tiers.map((tier) => tier.usd.toFixed());
            return (
              <Row
                key={item}
                name={`price.${item}`}
                label={price.entry.label}
                unit={`$ per ${price.entry.unit}`}
                placeholder={steps.join(', ')}
                text={fields[`price.${item}`] ?? ''}
                error={fields[`price.${item}`] === '' ? undefined : errors[`price.${item}`]}
                hint={`${price.entry.provider}, ${price.entry.source} (${price.entry.sourceDate})${steps.length > 1 ? '; tiered (your price replaces all tiers)' : ''}.`}
                verified={price.entry.verified}
                onChange={changePrice}
              />
            );
          })}
        </div>
      </LazyDetails>
      {pins.length === 0 ? null : (
        <details className="border-line border-b" data-group="pins" open>
          <summary className="flex items-center justify-between gap-3 py-3 pr-4 pl-6 font-medium text-ink text-sm hover:bg-hover">
            <span className="flex items-center gap-2">
              <Chevron />
              Overridden values
            </span>
            <Badge tone="accent">{pins.length} changed</Badge>
          </summary>
          <div className="flex flex-col gap-4 px-4 pt-1 pb-5">
            {pins.map((name) => {
              const cell = PINNABLE.get(name.slice('pin.'.length));
              return (
                <div key={name}>
                  <Row
                    name={name}
                    label={cell === undefined ? name : `${cell.system}: ${cell.label}`}
                    unit={cell?.unit ?? ''}
                    placeholder=""
                    text={fields[name] ?? ''}
                    error={errors[name]}
                    hint={`Overrides the formula for ${name.slice('pin.'.length)}.`}
                    onChange={onChange}
                  />
                  <button
                    type="button"
                    onClick={() => onReset(name)}
                    className="mt-1 rounded text-accent-ink text-xs underline underline-offset-2 print:hidden"
                  >
                    Restore formula
                  </button>
                </div>
              );
            })}
          </div>
        </details>
      )}
    </>
  );
});

interface RowProps {
  name: string;
  label: string;
  unit: string;
  placeholder: string;
  text: string;
  error: string | undefined;
  hint: string;
  verified?: boolean;
  onChange: (key: string, text: string) => void;
}

const Row = memo(function Row({
  name,
  label,
  unit,
  placeholder,
  text,
  error,
  hint,
  verified = true,
  onChange,
}: RowProps) {
  const id = `in-${name}`;
  return (
    <div>
      <label
        htmlFor={id}
        className={cx('text-sm', text === '' ? 'font-medium text-ink' : 'font-semibold text-accent-ink')}
      >
        {label}
      </label>
      <div className="mt-1 flex items-center gap-2">
        <input
          id={id}
          // Drops empty prices: they must not reach the URL, not even without JavaScript.
          name={text === '' ? undefined : name}
          type="text"
          inputMode={name === 'asOf' ? 'text' : 'decimal'}
          autoComplete="off"
          value={text}
          placeholder={placeholder}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`}
          aria-invalid={error === undefined ? undefined : true}
          onChange={(event) => onChange(name, event.target.value)}
          className={cx(INPUT_CLASS, 'nums flex-1 text-right')}
        />
        <span className="w-24 shrink-0 text-ink-3 text-xs leading-4">{unit}</span>
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} className="mt-1 text-[0.8125rem] text-danger-ink leading-5">
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className="mt-1 text-ink-3 text-xs leading-[1.15rem] print:hidden">
        {hint} {verified ? null : <Badge tone="warn">unverified</Badge>}
      </p>
    </div>
  );
});
