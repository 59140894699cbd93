import { describe, expect, it } from 'vitest';
import { quantity, roundInvoiceLine } from '../decimal/index.ts';
import { PRICE_BOOKS, priceBookById, priceBookOn, rateClusterMinutes, rateWrites, totalOf } from './price-book.ts';

const book = priceBookOn('2026-11-21');
const priceOf = (gib: string) => totalOf(rateWrites(book, quantity(gib))).toFixed();

describe('the price book', () => {
  it.each([
    ['0', '0'],
    ['1', '0.008'],
    ['10240', '81.92'],
    ['10241', '81.924'],
    ['102400', '450.56'],
    ['1024000', '2293.76'],
    ['1024001', '2293.761'],
    ['2592000', '3861.76'],
  ])('prices %s GiB step by step at $%s', (gib, price) => {
    expect(priceOf(gib)).toBe(price);
  });

  it('prices the part of a quantity in each step, without gaps', () => {
    const parts = rateWrites(book, quantity('2000000'));
    expect(parts.map((part) => part.quantity.toFixed())).toEqual(['10240', '92160', '921600', '976000']);
  });

  it('prices cluster-minutes by kind, with dev free', () => {
    expect(rateClusterMinutes(book, 'standard', quantity(43_200)).toFixed()).toBe('99.36');
    expect(rateClusterMinutes(book, 'low-latency', quantity(43_200)).toFixed()).toBe('298.08');
    expect(rateClusterMinutes(book, 'dev', quantity(43_200)).toFixed()).toBe('0');
  });

  it('rounds to cents only on request', () => {
    expect(roundInvoiceLine(totalOf(rateWrites(book, quantity('0.123456789')))).toFixed(2)).toBe('0.00');
  });

  it('names each version once, in date order, and finds it again', () => {
    expect(PRICE_BOOKS.map((version) => version.from)).toEqual(
      [...new Set(PRICE_BOOKS.map((version) => version.from))].sort(),
    );
    for (const version of PRICE_BOOKS) {
      expect(priceBookById(version.id)).toBe(version);
      expect(priceBookOn(version.from)).toBe(version);
    }
    expect(priceBookOn('2020-01-01')).toBe(PRICE_BOOKS[0]);
  });
});
