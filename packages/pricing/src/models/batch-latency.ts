// Latency of a log that acknowledges a batch once it is in object storage: WarpStream's documented latency at one batch interval, shifted
// by half the difference in interval (p50) or all of it (p99).
import type { LatencySpec } from './types.ts';

type Milliseconds = Pick<LatencySpec, 'produceP50' | 'produceP99' | 'endToEndP50' | 'endToEndP99'>;

export const STANDARD_BATCH_LATENCY: Milliseconds = {
  produceP50: '250 + (standard_batch_ms − 250) ÷ 2',
  produceP99: '500 + standard_batch_ms − 250',
  endToEndP50: '500 + (standard_batch_ms − 250) ÷ 2',
  endToEndP99: '900 + standard_batch_ms − 250',
};

export const EXPRESS_BATCH_LATENCY: Milliseconds = {
  produceP50: '80 + (express_batch_ms − 50) ÷ 2',
  produceP99: '150 + express_batch_ms − 50',
  endToEndP50: '200 + (express_batch_ms − 50) ÷ 2',
  endToEndP99: '400 + express_batch_ms − 50',
};
