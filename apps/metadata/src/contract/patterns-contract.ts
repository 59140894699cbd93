// The contract of Patterns. It runs on the thread of the service, and on the patterns of simulations and benchmarks.
import { describe, expect, test } from 'vitest';
import type { Patterns } from '../owners/patterns/patterns.ts';

const CLUSTER = { clusterId: 'cluster', organizationId: 'org' };

/** The names that a pattern matches, asked as callers do: for the rest, until none is left. */
async function matchedAmong(patterns: Patterns, pattern: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  let rest = names;
  while (rest.length > 0) {
    const { matched, looked } = await patterns.match(CLUSTER, pattern, rest);
    expect(looked).toBeGreaterThan(0);
    expect(matched).toEqual([...matched].sort((a, b) => a - b));
    found.push(...matched.flatMap((index) => rest[index] ?? []));
    rest = rest.slice(looked);
  }
  return found;
}

export function describePatterns(name: string, patterns: () => Patterns): void {
  describe(`${name}: patterns`, () => {
    test('a pattern matches whole names, in their order', async () => {
      const names = ['orders', 'payments', 'orders-2', 'my-orders'];
      expect(await matchedAmong(patterns(), 'ord.*', names)).toEqual(['orders', 'orders-2']);
      expect(await matchedAmong(patterns(), 'orders', names)).toEqual(['orders']);
      expect(await matchedAmong(patterns(), 'x', names)).toEqual([]);
    });

    test('many names are matched to the last', async () => {
      const names = Array.from({ length: 5_000 }, (_, index) => `topic-${index}`);
      expect(await matchedAmong(patterns(), '.*99', names)).toHaveLength(50);
    });

    test.each([
      ['ord.*', null],
      ['(a)\\1', 'invalid escape'],
      ['(', 'missing closing )'],
      ['(?=a)', 'invalid or unsupported Perl syntax'],
    ])('the problem of %s: %s', async (pattern, problem) => {
      const found = await patterns().problem(CLUSTER, pattern);
      if (problem === null) {
        expect(found).toBeNull();
      } else {
        expect(found).toContain(problem);
      }
    });
  });
}
