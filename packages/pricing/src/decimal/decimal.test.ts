import { describe, expect, expectTypeOf, it } from 'vitest';
import { decimal, quantity, type UsdPer, usdPer } from './decimal.ts';
import { formatNumber, formatUnitPrice, formatUsd } from './format.ts';
import { amountOf, roundEstimateLine, roundInvoiceLine, sumUsd, Usd, usd } from './usd.ts';

describe('exact decimals', () => {
  it('add without floating-point error', () => {
    expect(sumUsd([usd('0.1'), usd('0.2')]).toFixed()).toBe('0.3');
    expect(amountOf(quantity<'put'>('1e12'), usdPer('0.0000000004')).toFixed()).toBe('400');
  });

  it('reject what is not a number', () => {
    for (const text of ['NaN', 'Infinity', '-Infinity', '', 'ten']) {
      expect(() => decimal(text)).toThrow();
    }
  });

  it('round as the function’s name says', () => {
    expect(roundInvoiceLine(usd('0.125')).toFixed()).toBe('0.13');
    expect(roundInvoiceLine(usd('0.1249999999999')).toFixed()).toBe('0.12');
    expect(roundInvoiceLine(usd('-0.125')).toFixed()).toBe('-0.13');
    expect(roundEstimateLine(usd('0.0000025')).toFixed()).toBe('0.000002');
  });

  it('make hours times a price per GB a type error', () => {
    expectTypeOf(amountOf<'hour'>)
      .parameter(1)
      .toEqualTypeOf<UsdPer<'hour'>>();
    const hours = quantity<'hour'>('720');
    const perGb = usdPer<'GB'>('0.02');
    // @ts-expect-error: the units differ.
    const wrong: Usd = amountOf<'hour'>(hours, perGb);
    expect(wrong.toFixed()).toBe('14.4');
  });

  // No assertion, look-alike or constructor forges one.
  it('can only be created by the money module', () => {
    const bare = decimal('1');
    // @ts-expect-error: a number without a unit is not money.
    const assigned: Usd = bare;
    // @ts-expect-error: an assertion does not make it money.
    const asserted = bare as Usd;
    // @ts-expect-error: nor a quantity with another unit.
    const hours: Usd = quantity<'hour'>('1');
    // @ts-expect-error: an object with the same methods is not money.
    const alike: Usd = { ...usd('1') };
    // @ts-expect-error: the constructor is private.
    const made = new Usd(bare);
    expect([assigned, asserted, hours, alike, made]).toHaveLength(5);
    // A forged value that passed the type checker fails at its first use.
    expect(() => sumUsd([assigned])).toThrow(TypeError);
    // @ts-expect-error: a price per hour is not an amount of hours.
    amountOf<'hour'>(usdPer<'hour'>('1'), usdPer<'hour'>('1'));
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
