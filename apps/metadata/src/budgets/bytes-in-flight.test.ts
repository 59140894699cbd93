import { expect, test } from 'vitest';
import { BytesInFlight, byteLimitsOf } from './bytes-in-flight.ts';
import { requestLimit } from './request-limits.ts';
import { type Share, TRIAL } from './tenants.ts';

const customer: Share = ['acme', 'acme', 'cluster'];
const trial = (organization: string): Share => [TRIAL, organization, `cluster of ${organization}`];

test('an organization holds at most its share', () => {
  const bytes = new BytesInFlight([100, 50, 25]);
  expect(bytes.take(trial('a'), 25)?.bytes).toBe(25);
  expect(bytes.take(trial('a'), 1)).toBe(undefined);
  expect(bytes.take(trial('b'), 25)?.bytes).toBe(25);
  // All that do not pay are one tenant.
  expect(bytes.take(trial('c'), 1)).toBe(undefined);
  expect(bytes.take(customer, 25)?.bytes).toBe(25);
  expect(bytes.bytes).toBe(75);
  expect(bytes.refused).toBe(2);
});

test('frees bytes once, when their request ends', () => {
  const bytes = new BytesInFlight([100, 50, 25]);
  const held = bytes.take(customer, 10);
  expect(held?.grow(15)).toBe(true);
  expect(held?.grow(1)).toBe(false);
  held?.release();
  held?.release();
  expect(bytes.bytes).toBe(0);
  expect(bytes.take(customer, 25)?.bytes).toBe(25);
});

test('the largest request fits the smallest process', () => {
  const [all, tenant, organization] = byteLimitsOf(1);
  expect(organization).toBeGreaterThanOrEqual(requestLimit('CommitFile').maxBytes);
  expect([tenant, all]).toEqual([2 * organization, 4 * organization]);
});
