import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitOverTiers } from './tiers.ts';

const TIERS = [
  { name: 'first', upTo: 10 },
  { name: 'second', upTo: 100 },
  { name: 'rest', upTo: null },
];
const isLess = <Amount extends number | bigint>(left: Amount, right: Amount): boolean => left < right;
const namesOf = (from: number, to: number) =>
  splitOverTiers(TIERS, from, to, isLess).map((part) => [part.tier.name, part.from, part.to]);

describe('splitting over tiers', () => {
  it.each([
    [0, 0, []],
    [0, 4, [['first', 0, 4]]],
    [0, 10, [['first', 0, 10]]],
    [10, 11, [['second', 10, 11]]],
    [
      4,
      250,
      [
        ['first', 4, 10],
        ['second', 10, 100],
        ['rest', 100, 250],
      ],
    ],
    [100, 101, [['rest', 100, 101]]],
  ])('from %d to %d each unit is in the tier of the running total', (from, to, expected) => {
    expect(namesOf(from, to)).toEqual(expected);
  });

  it('leaves nothing out and counts nothing twice', () => {
    const bound = fc.bigInt({ min: 1n, max: 2n ** 40n });
    fc.assert(
      fc.property(fc.uniqueArray(bound, { maxLength: 5 }), bound, bound, (bounds, from, more) => {
        const ends = bounds.toSorted((left, right) => (left < right ? -1 : 1));
        const tiers = [...ends.map((upTo) => ({ upTo })), { upTo: null }];
        const parts = splitOverTiers<bigint, { upTo: bigint | null }>(tiers, from, from + more, isLess);
        let reached = from;
        for (const part of parts) {
          expect(part.from).toBe(reached);
          expect(part.to).toBeGreaterThan(part.from);
          expect(part.tier.upTo === null || part.to <= part.tier.upTo).toBe(true);
          reached = part.to;
        }
        expect(reached).toBe(from + more);
      }),
    );
  });
});
