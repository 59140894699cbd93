import { describe, expect, it } from 'vitest';
import { decimal } from '../decimal/index.ts';
import { readFormula } from './formula.ts';

const values: Readonly<Record<string, string>> = { a: '2', b: '3', none: '0' };
const run = (text: string) =>
  readFormula(text)
    .evaluate((symbol) => decimal(values[symbol] ?? '0'))
    .toFixed();

describe('formulas', () => {
  it.each([
    ['a + b × 4', '14'],
    ['(a + b) × 4', '20'],
    ['10 − a − b', '5'],
    ['12 ÷ a ÷ b', '2'],
    ['ceil(7 ÷ a)', '4'],
    ['max(a, b, 1) + min(a, b)', '5'],
    ['0.1 + 0.2', '0.3'],
    ['none ÷ none', '0'],
  ])('%s gives %s', (text, result) => {
    expect(run(text)).toBe(result);
  });

  it('refuses to divide anything but 0 by 0', () => {
    expect(() => run('a ÷ none')).toThrow('"a ÷ none" divides 2 by 0');
    expect(() => run('1 + max(a, b ÷ (none × a))')).toThrow(RangeError);
  });

  it.each([
    ['a ÷ b', ['b']],
    ['a ÷ (b + c) × d', ['b', 'c']],
    ['a ÷ max(b, 1) ÷ c', ['b', 'c']],
    ['a × b ÷ 4', []],
  ])('lists the symbols that %s divides by', (text, divisors) => {
    expect(readFormula(text).divisors).toEqual(divisors);
  });

  it('lists the symbols that it uses, each once', () => {
    expect(readFormula('a × b + max(a, c)').symbols).toEqual(['a', 'b', 'c']);
  });

  it.each(['a +', '(a', 'a b', 'sqrt(a)', 'a * b', ''])('refuses "%s"', (text) => {
    expect(() => readFormula(text)).toThrow(SyntaxError);
  });
});
