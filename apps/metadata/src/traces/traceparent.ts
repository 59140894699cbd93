// The header `traceparent` of W3C Trace Context. https://www.w3.org/TR/trace-context/#traceparent-header
import type { SpanContext } from '@opentelemetry/api';

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for an invalid header: the call then starts a trace of its own. */
export function parseTraceparent(header: string | null): SpanContext | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) {
    return undefined;
  }
  // Later versions may append fields after these four; ff is invalid.
  if (version === 'ff' || (version === '00' && rest !== undefined)) {
    return undefined;
  }
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) {
    return undefined;
  }
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
