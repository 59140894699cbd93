import { expect, test } from 'vitest';
import { compileCells } from './worksheet.ts';

const cells = (formulas: Readonly<Record<string, string>>) =>
  Object.entries(formulas).map(([symbol, formula]) => ({ symbol, label: symbol, unit: '', formula }));

test('a circle of formulas is refused with its path', () => {
  expect(() => compileCells(cells({ start: 'a + 1', a: 'b × c', b: '2', c: 'max(d, 1)', d: 'a ÷ 2' }))).toThrow(
    'circular formulas: a → c → d → a',
  );
  expect(() => compileCells(cells({ a: 'a + 1' }))).toThrow('circular formulas: a → a');
});

test('cells may share what they read', () => {
  expect(compileCells(cells({ top: 'left + right', left: 'base', right: 'base', base: '1' })).size).toBe(4);
});
