import { STANDARD_BATCH_LATENCY } from './batch-latency.ts';
import { AGENT_LINE, OBJECT_STORAGE, requestLine } from './object-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';
import { WARPSTREAM_CELLS, WARPSTREAM_CPU, WARPSTREAM_FEES, WARPSTREAM_PLANS } from './warpstream-parts.ts';

export const WARPSTREAM_STANDARD: SystemSpec = {
  id: 'warpstream',
  name: 'WarpStream, S3 Standard',
  nameOn: { gcp: 'WarpStream, Cloud Storage Standard', azure: 'WarpStream, Blob Storage hot' },
  configuration:
    'Agents in the customer’s account with zone-aligned clients, request rates that WarpStream measured in 2024, and fees from its 2026 price list.',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'agent',
  cpu: WARPSTREAM_CPU,
  plans: WARPSTREAM_PLANS,
  cells: [
    ...WARPSTREAM_CELLS,
    {
      symbol: 'put_s',
      label: 'PUTs: as measured at 250 ms; at low load one per agent and interval, but none for less than a record',
      unit: 'PUT/s',
      formula: formula(
        'max(wire_gib_s × warp_put × warp_batch_ms ÷ standard_batch_ms, min(agents × 1000 ÷ standard_batch_ms, wire ÷ record_bytes))',
      ),
    },
    {
      symbol: 'get_s',
      label: 'GETs: more for each further reader',
      unit: 'GET/s',
      formula: formula('wire_gib_s × warp_get × (1 + warp_get_more × max(0, fanout − 1))'),
    },
  ],
  lines: [
    AGENT_LINE,
    OBJECT_STORAGE,
    requestLine('put', 'PUTs', 'PUTs per second, all seconds of the month, in thousands', 'put_s', 'put'),
    requestLine('get', 'GETs', 'GETs per second, all seconds of the month, in thousands', 'get_s', 'get'),
    ...WARPSTREAM_FEES,
  ],
  latency: {
    ...STANDARD_BATCH_LATENCY,
    basis: 'published',
    note: 'WarpStream’s documentation for 250 ms. For other intervals, adjusted by half the difference (p50) or all of it (p99).',
  },
};
