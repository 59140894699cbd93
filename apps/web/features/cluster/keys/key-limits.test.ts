import { expect, test } from 'vitest';
import { faultsByField, limitsOf, NO_LIMITS, scopeLabel, scopeOptions } from './key-limits.ts';

test('empty fields are no limit, and lists take commas, spaces and lines', () => {
  expect(limitsOf(NO_LIMITS)).toEqual({ lifetimeDays: null, networks: [], addresses: [] });
  const texts = { lifetimeDays: ' 30 ', networks: '10.0.0.0/8, 203.0.113.7', addresses: '*.internal\nagent-1,' };
  expect(limitsOf(texts)).toEqual({
    lifetimeDays: 30,
    networks: ['10.0.0.0/8', '203.0.113.7'],
    addresses: ['*.internal', 'agent-1'],
  });
  expect(limitsOf({ ...NO_LIMITS, lifetimeDays: 'soon' }).lifetimeDays).toBeNaN();
});

test('a fault of one word is shown at its field', () => {
  const faults = { 'networks.1': 'not a network', 'networks.2': 'nor this', name: 'empty' };
  expect(faultsByField(faults)).toEqual({ networks: 'not a network', name: 'empty' });
});

test('a new key can get any scope, and a key that exists only a narrower one', () => {
  const values = (current: string | null) => scopeOptions(current).map(({ value }) => value);
  expect(values(null)).toEqual(['agent', 'jobs', 'read_only']);
  expect(values('agent')).toEqual(['agent', 'jobs', 'read_only']);
  expect(values('jobs')).toEqual(['jobs']);
  expect([scopeLabel('read_only'), scopeLabel('later')]).toEqual(['Read-only', 'later']);
});
