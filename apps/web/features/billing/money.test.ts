import { describe, expect, it } from 'vitest';
import { exactMoney, gibText, isCapReached, isZeroMoney, money, percentOf } from './money.ts';

describe('money', () => {
  it.each([
    ['0.00', '$0.00'],
    ['1234567.89', '$1,234,567.89'],
    ['-400.00', '−$400.00'],
    ['99999999999999.99', '$99,999,999,999,999.99'],
  ])('%s reads %s', (text, expected) => {
    expect(money(text)).toBe(expected);
  });

  it('shows every digit of a unit price', () => {
    expect(exactMoney('0.0023')).toBe('$0.0023');
    expect(exactMoney('100000')).toBe('$100,000');
    expect(exactMoney('-0.000000001')).toBe('−$0.000000001');
  });

  it('distinguishes zero from a small amount', () => {
    expect(isZeroMoney('0.00')).toBe(true);
    expect(isZeroMoney('0.01')).toBe(false);
  });
});

describe('gibText', () => {
  it.each([
    [0n, '0.000000'],
    [2n ** 30n, '1.000000'],
    [537n, '0.000001'],
    [536n, '0.000000'],
    [2n ** 60n + 2n ** 29n, '1,073,741,824.500000'],
  ])('%s bytes are %s GiB, beyond the precision of floats', (bytes, expected) => {
    expect(gibText(bytes)).toBe(expected);
  });
});

describe('percentOf', () => {
  it.each([
    ['0.00', '100.00', 0],
    ['99.99', '100.00', 99],
    ['100.00', '100.00', 100],
    ['250.00', '100.00', 250],
  ])('%s of %s is %s %%, and never 100 before it is reached', (cost, budget, expected) => {
    expect(percentOf(cost, budget)).toBe(expected);
  });
});

describe('isCapReached', () => {
  it.each([
    ['49.99', '50', false],
    ['50.00', '50', true],
    ['50.10', '50.1', true],
    ['1250.00', '999.99', true],
    ['0.00', '0.01', false],
  ])('a month of %s against a cap of %s, in any notation: %s', (cost, cap, expected) => {
    expect(isCapReached(cost, cap)).toBe(expected);
  });
});
