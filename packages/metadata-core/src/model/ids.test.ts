import { expect, test } from 'vitest';
import { idFromKey, isLandedId } from './ids.ts';

// The agents' mark: `apps/agent/crates/store/src/landing.rs` has the same ids in its test.
test('a file in landing buckets is known by its id', () => {
  expect(isLandedId(idFromKey('0190b2a412347a7d80000001c00000f3'))).toBe(true);
  expect(isLandedId(idFromKey('0190b2a412347a7c80000001c00000f3'))).toBe(false);
  expect(isLandedId(idFromKey('0190b2a41234707d80000001c00000f3'))).toBe(false);
});
