import { expect, test } from 'vitest';
import { KnownCredentials } from './known-credentials.ts';

test('remembers only the most recently used good credentials', () => {
  const known = new KnownCredentials(2);
  known.add('a');
  known.add('b');
  known.add('a');
  known.add('c');
  expect(['a', 'b', 'c'].map((credential) => known.has(credential))).toEqual([true, false, true]);
});

test('forgets a credential that is no longer good', () => {
  const known = new KnownCredentials();
  known.add('a');
  known.remove('a');
  expect(known.has('a')).toBe(false);
});
