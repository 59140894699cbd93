import { EXPRESS_TRANSFER_LINES } from './express-parts.ts';
import { AGENT_LINE, OBJECT_STORAGE, requestLine } from './object-parts.ts';
import type { SystemSpec } from './types.ts';
import { WARPSTREAM_CELLS, WARPSTREAM_FEES } from './warpstream-parts.ts';

export const WARPSTREAM_EXPRESS: SystemSpec = {
  id: 'warpstream-express',
  name: 'WarpStream, S3 Express One Zone',
  drawnAs:
    'As in WarpStream’s benchmark of 2025: each file goes to two single-zone buckets and is compacted to S3 Standard within seconds; its compaction requests are not published and not counted.',
  clouds: ['aws'],
  cells: [
    ...WARPSTREAM_CELLS,
    {
      symbol: 'put_s',
      label:
        'PUTs to each bucket: as measured at 50 ms; at low load one per agent and interval, but none for less than a record of 1 KiB',
      unit: 'PUT/s',
      formula:
        'max(wire_gib_s × warp_express_put × 50 ÷ express_batch_ms, min(agents × 1000 ÷ express_batch_ms, wire ÷ 1024))',
    },
    {
      symbol: 'get_s',
      label: 'GETs: 11 % more for each further reader',
      unit: 'GET/s',
      formula: 'wire_gib_s × warp_express_get × (1 + 0.11 × max(0, fanout − 1))',
    },
  ],
  lines: [
    AGENT_LINE,
    OBJECT_STORAGE,
    requestLine(
      'put',
      'PUTs to S3 Express',
      'PUTs per second and bucket, times the buckets, all seconds of the month, in thousands',
      'put_s × copies',
      'item:aws.express.put',
    ),
    requestLine(
      'get',
      'GETs from S3 Express',
      'GETs per second, all seconds of the month, in thousands',
      'get_s',
      'item:aws.express.get',
    ),
    ...EXPRESS_TRANSFER_LINES,
    ...WARPSTREAM_FEES,
  ],
  latency: {
    produceP50: '80 + (express_batch_ms − 50) ÷ 2',
    produceP99: '150 + express_batch_ms − 50',
    endToEndP50: '200 + (express_batch_ms − 50) ÷ 2',
    endToEndP99: '400 + express_batch_ms − 50',
    basis: 'published',
    note: 'WarpStream’s documentation at 50 ms (“under”); its benchmark of 2025 measured 105 and 169 ms for produce.',
  },
};
