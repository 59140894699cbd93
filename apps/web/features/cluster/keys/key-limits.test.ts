import { expect, test } from 'vitest';
import { limitsOf, NO_LIMITS, scopeLabel, scopeOptions } from './key-limits.ts';

// Commas, spaces and lines.
test('empty fields set no limit; lists allow several separators', () => {
  expect(limitsOf(NO_LIMITS)).toEqual({ lifetimeDays: null, networks: [], addresses: [] });
  const texts = { lifetimeDays: ' 30 ', networks: '10.0.0.0/8, 203.0.113.7', addresses: '*.internal\nagent-1,' };
  expect(limitsOf(texts)).toEqual({
    lifetimeDays: 30,
    networks: ['10.0.0.0/8', '203.0.113.7'],
    addresses: ['*.internal', 'agent-1'],
  });
  expect(limitsOf({ ...NO_LIMITS, lifetimeDays: 'soon' }).lifetimeDays).toBeNaN();
});

test('a new key can get any scope, an existing one only less', () => {
  const values = (current: string | null) => scopeOptions(current).map(({ value }) => value);
  expect(values(null)).toEqual(['agent', 'jobs', 'read_only']);
  expect(values('agent')).toEqual(['agent', 'jobs', 'read_only']);
  expect(values('jobs')).toEqual(['jobs']);
  expect([scopeLabel('read_only'), scopeLabel('later')]).toEqual(['Read-only', 'later']);
});
