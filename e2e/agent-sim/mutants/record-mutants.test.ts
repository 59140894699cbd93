import { expect, test } from 'vitest';
import { type Verdict, withVerdict } from './record-mutants.ts';

const VERDICT: Verdict = {
  name: 'second',
  breaks: 'an order',
  scenario: null,
  isNoticed: true,
  seeds: 3,
  firstSeed: 1,
  fault: 'offset 7 follows offset 9',
};
const MUTANTS = [{ name: 'first' }, { name: 'second' }, { name: 'third' }];

test('the newest verdict on each mutant is kept', () => {
  const one = withVerdict(undefined, VERDICT, 'a', MUTANTS);
  expect(one).toMatchObject({ noticed: 1, unnoticed: [], notRun: ['first', 'third'] });
  const two = withVerdict(one, { ...VERDICT, name: 'first', isNoticed: false, fault: null }, 'b', MUTANTS);
  const three = withVerdict(two, { ...VERDICT, seeds: 1 }, 'c', MUTANTS);
  expect(three).toMatchObject({ noticed: 1, unnoticed: ['first'], notRun: ['third'] });
  expect(three.mutants.map(({ name, seeds, commit }) => [name, seeds, commit])).toEqual([
    ['first', 3, 'b'],
    ['second', 1, 'c'],
  ]);
});

test('a verdict on a mutant that is gone is dropped', () => {
  const before = withVerdict(undefined, VERDICT, 'a', MUTANTS);
  const after = withVerdict(before, { ...VERDICT, name: 'first' }, 'b', [{ name: 'first' }]);
  expect(after.mutants.map(({ name }) => name)).toEqual(['first']);
});
