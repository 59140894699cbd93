import { expect, test } from 'vitest';
import { parseTraceparent } from './traceparent.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

test.each([
  { flags: '01', traceFlags: 1 },
  { flags: '00', traceFlags: 0 },
  { flags: '03', traceFlags: 1 },
])('follows the caller’s context and sampling ($flags)', ({ flags, traceFlags }) => {
  expect(parseTraceparent(`00-${TRACE_ID}-${SPAN_ID}-${flags}`)).toEqual({
    traceId: TRACE_ID,
    spanId: SPAN_ID,
    traceFlags,
    isRemote: true,
  });
});

test('a later version is read as far as it is known', () => {
  expect(parseTraceparent(`01-${TRACE_ID}-${SPAN_ID}-01-more`)?.spanId).toBe(SPAN_ID);
});

test.each([
  null,
  '',
  'hello',
  `00-${TRACE_ID}-${SPAN_ID}`,
  `00-${TRACE_ID}-${SPAN_ID}-01-more`,
  `ff-${TRACE_ID}-${SPAN_ID}-01`,
  `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
  `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
])('an invalid traceparent is ignored: %s', (header) => {
  expect(parseTraceparent(header)).toBeUndefined();
});
