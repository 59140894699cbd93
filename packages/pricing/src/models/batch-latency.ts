// Latency of a log that acknowledges a batch once it is in object storage: WarpStream's documented latency at one batch interval, shifted
import { formula } from './symbols.ts';
// by half the difference in interval (p50) or all of it (p99).
import type { LatencySpec } from './types.ts';

type Milliseconds = Pick<LatencySpec, 'produceP50' | 'produceP99' | 'endToEndP50' | 'endToEndP99'>;

const atInterval = (
  mode: 'standard' | 'express',
  interval: 'standard_batch_ms' | 'landing_batch_ms' | 'express_batch_ms',
  published: 'warp_batch_ms' | 'warp_express_batch_ms',
): Milliseconds => ({
  produceP50: formula(`${mode}_produce_p50 + (${interval} − ${published}) ÷ 2`),
  produceP99: formula(`${mode}_produce_p99 + ${interval} − ${published}`),
  endToEndP50: formula(`${mode}_end_p50 + (${interval} − ${published}) ÷ 2`),
  endToEndP99: formula(`${mode}_end_p99 + ${interval} − ${published}`),
});

export const STANDARD_BATCH_LATENCY = atInterval('standard', 'standard_batch_ms', 'warp_batch_ms');
/** On S3 Express, each at its own interval. */
export const PENSTOCK_EXPRESS_LATENCY = atInterval('express', 'landing_batch_ms', 'warp_express_batch_ms');
export const WARPSTREAM_EXPRESS_LATENCY = atInterval('express', 'express_batch_ms', 'warp_express_batch_ms');
