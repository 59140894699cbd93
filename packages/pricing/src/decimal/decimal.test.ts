import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  amountOf,
  decimal,
  type Quantity,
  roundEstimateLine,
  roundInvoiceLine,
  sumUsd,
  type Usd,
  type UsdPer,
  usd,
} from './decimal.ts';
import { formatNumber, formatUnitPrice, formatUsd } from './format.ts';

describe('exact decimals', () => {
  it('add without the error of floats', () => {
    expect(sumUsd([usd('0.1'), usd('0.2')]).toFixed()).toBe('0.3');
    expect(amountOf(decimal('1e12'), decimal('0.0000000004')).toFixed()).toBe('400');
  });

  it('refuse what is not a number', () => {
    for (const text of ['NaN', 'Infinity', '-Infinity', '', 'ten']) {
      expect(() => decimal(text)).toThrow();
    }
  });

  it('round as the name of the function says: invoices half up, estimates half-even', () => {
    expect(roundInvoiceLine(usd('0.125')).toFixed()).toBe('0.13');
    expect(roundInvoiceLine(usd('0.1249999999999')).toFixed()).toBe('0.12');
    expect(roundInvoiceLine(usd('-0.125')).toFixed()).toBe('-0.13');
    expect(roundEstimateLine(usd('0.0000025')).toFixed()).toBe('0.000002');
  });

  it('refuse, in the types, to multiply hours by a price per GB', () => {
    expectTypeOf(amountOf<'hour'>)
      .parameter(1)
      .toEqualTypeOf<UsdPer<'hour'>>();
    const hours: Quantity<'hour'> = decimal('720');
    const perGb = decimal('0.02') as UsdPer<'GB'>;
    // @ts-expect-error: the units differ.
    const wrong: Usd = amountOf<'hour'>(hours, perGb);
    expect(wrong.toFixed()).toBe('14.4');
  });

  it('print without hiding small amounts', () => {
    expect([usd('12868.4'), usd('3.456'), usd('0.000123456'), usd('0'), usd('-20')].map(formatUsd)).toEqual([
      '$12,868',
      '$3.46',
      '$0.000123',
      '$0',
      '-$20.00',
    ]);
    expect(formatUnitPrice(decimal('0.0000004'))).toBe('$0.0000004');
    expect([decimal('1234567.8'), decimal('0.33333333')].map((value) => formatNumber(value))).toEqual([
      '1,234,568',
      '0.333333',
    ]);
  });
});
