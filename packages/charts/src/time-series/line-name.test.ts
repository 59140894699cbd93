import { expect, test } from 'vitest';
import { lineNameText } from './line-name.ts';

test.each([
  ['value', ''],
  ['p99', 'p99'],
  ['api:0', 'Produce'],
  ['api:3', 'Metadata'],
  ['api:999', 'API 999'],
  ['api:0:6', 'Produce: NOT_LEADER_OR_FOLLOWER'],
  ['api:1:-1', 'Fetch: UNKNOWN_SERVER_ERROR'],
  ['api:1:133', 'Fetch: SHARE_SESSION_LIMIT_REACHED'],
  ['api:1:9999', 'Fetch: error 9999'],
])('the line %s is labelled “%s”', (name, text) => {
  expect(lineNameText(name)).toBe(text);
});
