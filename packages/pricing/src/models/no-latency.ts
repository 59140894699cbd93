import type { LatencySpec } from './types.ts';

/** The latency of a service that publishes none. */
export const NO_LATENCY: LatencySpec = {
  produceP50: null,
  produceP99: null,
  endToEndP50: null,
  endToEndP99: null,
  basis: 'published',
  note: 'The vendor publishes no latency that we could verify.',
};
