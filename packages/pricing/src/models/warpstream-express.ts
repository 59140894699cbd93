import { WARPSTREAM_EXPRESS_LATENCY } from './batch-latency.ts';
import { EXPRESS_LINES } from './express-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';
import { WARPSTREAM_CELLS, WARPSTREAM_CPU, WARPSTREAM_FEES, WARPSTREAM_PLANS } from './warpstream-parts.ts';

export const WARPSTREAM_EXPRESS: SystemSpec = {
  id: 'warpstream-express',
  name: 'WarpStream, S3 Express One Zone',
  configuration:
    'Based on WarpStream’s 2025 benchmark. Each file is written to two single-zone buckets and compacted to S3 Standard within seconds. Compaction requests aren’t published, so they’re not included.',
  clouds: ['aws'],
  machine: 'agent',
  cpu: WARPSTREAM_CPU,
  plans: WARPSTREAM_PLANS,
  cells: [
    ...WARPSTREAM_CELLS,
    {
      symbol: 'put_s',
      label:
        'PUTs to each bucket: as measured at 50 ms; at low load one per agent and interval, but none for less than a record',
      unit: 'PUT/s',
      formula: formula(
        'max(wire_gib_s × warp_express_put × warp_express_batch_ms ÷ express_batch_ms, min(agents × 1000 ÷ express_batch_ms, wire ÷ record_bytes))',
      ),
    },
    {
      symbol: 'get_s',
      label: 'GETs: more for each further reader',
      unit: 'GET/s',
      formula: formula('wire_gib_s × warp_express_get × (1 + warp_get_more × max(0, fanout − 1))'),
    },
  ],
  lines: [...EXPRESS_LINES, ...WARPSTREAM_FEES],
  latency: {
    ...WARPSTREAM_EXPRESS_LATENCY,
    basis: 'published',
    note: 'WarpStream’s documentation at 50 ms (“under”); its benchmark of 2025 measured 105 and 169 ms for produce.',
  },
};
