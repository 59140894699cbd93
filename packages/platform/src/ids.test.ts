import { expect, test } from 'vitest';
import { isUuid, newId } from './ids.ts';

test('ids are UUIDv7 and sort by their time', () => {
  const earlier = newId(1_700_000_000_000);
  const later = newId(1_700_000_000_001);
  expect(earlier).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(earlier < later).toBe(true);
});

// Even if ids for other times are created in between.
test('ids of one millisecond sort by creation', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => {
    newId(1_700_000_000_000 + index);
    return newId(1_600_000_000_000);
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('text that is not a UUID never reaches a uuid column', () => {
  expect(isUuid(newId())).toBe(true);
  expect(['', 'abc', `${newId()} `, "' or 1=1"].some(isUuid)).toBe(false);
});
