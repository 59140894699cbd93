import { INPUTS } from '@penstock/pricing';
import { expect, test } from 'vitest';
import { isMeant, wordsOf } from './search';
import { BASIC_KEYS, VIEW_KEYS } from './shown-inputs';

const found = (query: string) => INPUTS.filter((spec) => isMeant(spec, wordsOf(query))).map((spec) => spec.key);

test('matches all words in any order and case', () => {
  expect(found('warpstream CPU')).toEqual(expect.arrayContaining(['warpstreamWriteCpu', 'warpstreamReadCpu']));
  expect(found('cpu WARPSTREAM')).toEqual(found('warpstream CPU'));
  expect(found('warpstream nonsense')).toEqual([]);
});

test('a blank query means everything', () => {
  expect(found('  ')).toHaveLength(INPUTS.length);
});

test('the simple form has six existing inputs', () => {
  expect(BASIC_KEYS).toHaveLength(6);
  const keys = new Set(INPUTS.map((spec) => spec.key));
  expect([...BASIC_KEYS, ...VIEW_KEYS].every((key) => keys.has(key))).toBe(true);
});
