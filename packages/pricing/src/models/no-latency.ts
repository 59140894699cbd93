import type { LatencySpec } from './types.ts';

/** Of a service that publishes no latency. */
export const NO_LATENCY: LatencySpec = {
  produceP50: null,
  produceP99: null,
  endToEndP50: null,
  endToEndP99: null,
  basis: 'published',
  note: 'The vendor publishes no latency that we could verify.',
};
