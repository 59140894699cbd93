import { expect, test } from 'vitest';
import { createProxyWatch } from './undeclared-proxy.ts';

const HOUR_MS = 3_600_000;

function watchWith(trustedProxies: readonly string[]) {
  const reports: string[] = [];
  return { reports, watch: createProxyWatch(trustedProxies, (message) => reports.push(message)) };
}

test('reports an undeclared proxy and the setting once an hour', () => {
  const { reports, watch } = watchWith([]);
  for (const atMs of [0, 1, HOUR_MS - 1, HOUR_MS]) {
    watch('10.0.0.5', '203.0.113.9', atMs);
  }
  expect(reports).toHaveLength(2);
  expect(reports[0]).toContain('10.0.0.5');
  expect(reports[0]).toContain('PENSTOCK_TRUSTED_PROXIES');
});

test('declared proxies and direct connections are not reported', () => {
  const { reports, watch } = watchWith(['10.0.0.0/8']);
  watch('10.0.0.5', '203.0.113.9', 0);
  watch('::ffff:10.0.0.5', '203.0.113.9', 0);
  watch('203.0.113.9', undefined, 0);
  watch(undefined, '203.0.113.9', 0);
  expect(reports).toEqual([]);
});

test('a second proxy beside a declared one is reported', () => {
  const { reports, watch } = watchWith(['10.0.0.5']);
  watch('10.0.0.6', '203.0.113.9', 0);
  expect(reports).toHaveLength(1);
});
