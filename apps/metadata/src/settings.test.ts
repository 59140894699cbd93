import { MERGE_POLICY } from '@penstock/metadata-core';
import { AppError } from '@penstock/platform';
import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const needed = { DATABASE_URL: 'postgres://localhost/penstock', PENSTOCK_INTERNAL_TOKEN: 'a token for tests only' };

function windowMs(text?: string): number {
  return readSettings({ ...needed, ...(text === undefined ? {} : { PENSTOCK_METADATA_MERGE_WINDOW_MS: text }) })
    .mergeWindowMs;
}

test('the merge window defaults to that of the policy', () => {
  expect(windowMs()).toBe(MERGE_POLICY.windowMs);
  expect(windowMs('30000')).toBe(30_000);
});

test('an invalid merge window is refused', () => {
  for (const text of ['0', '-1', 'an hour', '86400001']) {
    expect(() => windowMs(text)).toThrow(AppError);
  }
});
