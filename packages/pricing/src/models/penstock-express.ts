import { PENSTOCK_EXPRESS_LATENCY } from './batch-latency.ts';
import { EXPRESS_LINES } from './express-parts.ts';
import { requestLine } from './object-parts.ts';
import {
  AGENT_CELLS,
  COMPACTION_CELLS,
  CONTROL_PLANE_CELLS,
  CONTROL_PLANE_LINES,
  clusterMinutes,
  PENSTOCK_CPU,
  PENSTOCK_WRITES,
  restoreWindow,
} from './penstock-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const PENSTOCK_EXPRESS: SystemSpec = {
  id: 'penstock-express',
  ours: { latencyMode: 'express', caveat: 'We have not run this mode on S3 Express itself yet.' },
  name: 'Penstock, S3 Express One Zone',
  configuration:
    'The same agents with a shorter interval. Each file is written to two of three single-zone buckets before it is acknowledged, and moved to S3 Standard within a minute.',
  clouds: ['aws'],
  machine: 'agent',
  cpu: PENSTOCK_CPU,
  cells: [
    ...AGENT_CELLS,
    {
      symbol: 'put_s',
      label:
        'PUTs to each bucket: one per full batch; at low load one per agent and interval, but none for less than a record',
      unit: 'PUT/s',
      formula: formula(
        'max(wire_mib_s ÷ express_batch_mib, min(agents × 1000 ÷ landing_batch_ms, wire ÷ record_bytes))',
      ),
    },
    {
      symbol: 'get_s',
      label:
        'GETs of readers (each file once per zone that reads and did not write it, and a tenth more) and of merging (each file once)',
      unit: 'GET/s',
      formula: formula('put_s × file_gets × ((zones − 1) × min(1, fanout) + 1)'),
    },
    ...COMPACTION_CELLS,
    ...CONTROL_PLANE_CELLS,
  ],
  lines: [
    ...EXPRESS_LINES,
    restoreWindow('max(0, rewrites − 1)'),
    {
      id: 'express-restore-window',
      component: 'object storage',
      label: 'S3 Express for the restore window',
      words: 'what is written in the window, after compression, times the buckets that each file goes to',
      quantity: formula('wire × restore_window_h × 3600 ÷ gb × copies'),
      price: 'item:aws.express.storage',
      basis: 'none',
      floor: null,
    },
    requestLine(
      'compaction-put',
      'PUTs of merging to S3 Standard',
      'PUTs per second, all seconds of the month, in thousands',
      'compaction_put_s',
      'put',
    ),
    requestLine(
      'merge-get',
      'GETs of merging from S3 Standard',
      'GETs per second, all seconds of the month, in thousands',
      'long_runs_get_s',
      'get',
    ),
    ...CONTROL_PLANE_LINES,
    PENSTOCK_WRITES,
    clusterMinutes('Cluster-minutes, low latency', 'item:penstock.cluster-low-latency'),
  ],
  latency: {
    ...PENSTOCK_EXPRESS_LATENCY,
    basis: 'estimated',
    note: 'Not measured on S3 Express yet. We use the figures that WarpStream publishes for the same design at 50 ms, adjusted to our interval by half the difference (p50) or all of it (p99).',
  },
};
