import { expect, test } from 'vitest';
import { isHostAmong, normalizedHost } from './agent-address.ts';

test.each<[string, string[], boolean]>([
  ['agent-1.internal', ['agent-1.internal'], true],
  ['Agent-1.Internal.', ['agent-1.internal'], true],
  ['agent-1.internal', ['*.internal'], true],
  ['a.b.internal', ['*.internal'], true],
  ['internal', ['*.internal'], false],
  ['evilinternal', ['*.internal'], false],
  ['agent-1.internal.evil.example', ['*.internal', 'agent-1.internal'], false],
  ['10.2.3.4', ['10.0.0.0/8'], true],
  ['11.2.3.4', ['10.0.0.0/8'], false],
  ['10.0.0.0.evil.example', ['10.0.0.0/8'], false],
  ['[fd00::7]', ['fd00::/8'], true],
  ['2001:db8::7', ['fd00::/8', '10.0.0.0/8'], false],
  ['10.0.0.7', ['10.0.0.7'], true],
  ['anything', [], false],
  ['', ['*.internal'], false],
])('whether a key may register %s under %j', (host, patterns, expected) => {
  expect(isHostAmong(host, patterns)).toBe(expected);
});

test('a host has one stored form', () => {
  expect(['Agent.Internal.', 'agent.internal', '[FD00::7]'].map(normalizedHost)).toEqual([
    'agent.internal',
    'agent.internal',
    'fd00::7',
  ]);
});
