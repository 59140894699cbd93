import { expect, test } from 'vitest';
import { parseTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([
  { flags: '01', traceFlags: 1 },
  { flags: '00', traceFlags: 0 },
  { flags: '03', traceFlags: 1 },
])('a caller’s place in its trace is taken over, and whether it is sampled ($flags)', ({ flags, traceFlags }) => {
  expect(parseTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
});

test('a later version is read as far as it is known', () => {
  expect(parseTraceparent(`01-${traceId}-${spanId}-01-more`)?.spanId).toBe(spanId);
});

test.each([
  null,
  '',
  'hello',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
])('what is no traceparent is passed over: %s', (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});
