import { expect, test } from 'vitest';
import { noteHop } from './note-hop.ts';

test.each([
  [undefined, '198.51.100.7', '198.51.100.7'],
  ['6.6.6.6', '198.51.100.7', '6.6.6.6, 198.51.100.7'],
  [['6.6.6.6', '7.7.7.7'], '198.51.100.7', '6.6.6.6, 7.7.7.7, 198.51.100.7'],
  ['6.6.6.6', undefined, '6.6.6.6, unknown'],
])('whatever the sender wrote (%s), the last hop is who has connected', (noted, peer, expected) => {
  expect(noteHop(noted, peer)).toBe(expected);
});
