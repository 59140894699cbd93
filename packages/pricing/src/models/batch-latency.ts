// Latency of a log that acknowledges a batch once it is in object storage: WarpStream's documented latency at one batch interval, shifted
// by half the difference in interval (p50) or all of it (p99).
import type { LatencySpec } from './types.ts';

type Milliseconds = Pick<LatencySpec, 'produceP50' | 'produceP99' | 'endToEndP50' | 'endToEndP99'>;

const atInterval = (mode: 'standard' | 'express', published: string): Milliseconds => ({
  produceP50: `${mode}_produce_p50 + (${mode}_batch_ms − ${published}) ÷ 2`,
  produceP99: `${mode}_produce_p99 + ${mode}_batch_ms − ${published}`,
  endToEndP50: `${mode}_end_p50 + (${mode}_batch_ms − ${published}) ÷ 2`,
  endToEndP99: `${mode}_end_p99 + ${mode}_batch_ms − ${published}`,
});

export const STANDARD_BATCH_LATENCY = atInterval('standard', 'warp_batch_ms');
export const EXPRESS_BATCH_LATENCY = atInterval('express', 'warp_express_batch_ms');
