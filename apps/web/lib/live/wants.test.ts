import { expect, test } from 'vitest';
import { wantedParts, withoutWant, withWant } from './wants';

test('a part is streamed until its last subscriber leaves', () => {
  const twice = withWant(withWant([], { kind: 'agents' }), { kind: 'agents' });
  expect(wantedParts(twice)).toEqual([{ kind: 'summary' }, { kind: 'agents' }]);
  expect(wantedParts(withoutWant(twice, { kind: 'agents' }))).toEqual([{ kind: 'summary' }, { kind: 'agents' }]);
  expect(wantedParts(withoutWant(withoutWant(twice, { kind: 'agents' }), { kind: 'agents' }))).toEqual([
    { kind: 'summary' },
  ]);
});

test('equal sets of parts give the same request in any order', () => {
  const [a, b] = [
    { kind: 'topic', name: 'b' },
    { kind: 'topic', name: 'a' },
  ] as const;
  expect(wantedParts(withWant(withWant([], a), b))).toEqual(wantedParts(withWant(withWant([], b), a)));
});
