import { expect, test } from 'vitest';
import { metricsRefusal, metricsTokenVariable } from './metrics-access.ts';

const TOKEN = 'a-token-of-the-operator';

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('lets %s read metrics without a token', (address) => {
  expect(metricsRefusal(address, undefined, undefined)).toBeUndefined();
  expect(metricsRefusal(address, undefined, TOKEN)).toBeUndefined();
});

test.each([
  ['no token is set', undefined, undefined, /PENSTOCK_METRICS_TOKEN/],
  ['none is sent', undefined, TOKEN, /Authorization: Bearer/],
  ['another is sent', 'Bearer another-token-entirely', TOKEN, /Authorization: Bearer/],
  ['it is sent in another scheme', `Basic ${TOKEN}`, TOKEN, /Authorization: Bearer/],
])('refuses another machine when %s', (_what, authorization, token, reason) => {
  for (const address of ['10.0.0.7', '128.0.0.1', '::ffff:10.0.0.7', undefined]) {
    expect(metricsRefusal(address, authorization, token)).toMatch(reason);
  }
});

test('lets another machine with the token read metrics', () => {
  expect(metricsRefusal('10.0.0.7', `Bearer ${TOKEN}`, TOKEN)).toBeUndefined();
});

test('refuses a token that could be guessed', () => {
  expect(metricsTokenVariable.safeParse('short').success).toBe(false);
});
