import { MEASURED_AGENT } from '../inputs/measured-agent.ts';
import { STANDARD_BATCH_LATENCY } from './batch-latency.ts';
import { AGENT_LINE, OBJECT_STORAGE, requestLine } from './object-parts.ts';
import {
  AGENT_CELLS,
  COMPACTION_CELLS,
  CONTROL_PLANE_CELLS,
  CONTROL_PLANE_LINES,
  clusterMinutes,
  PENSTOCK_CPU,
  PENSTOCK_PLANS,
  PENSTOCK_WRITES,
  restoreWindow,
} from './penstock-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const PENSTOCK_STANDARD: SystemSpec = {
  id: 'penstock',
  ours: { latencyMode: 'standard' },
  name: 'Penstock, S3 Standard',
  nameOn: { gcp: 'Penstock, Cloud Storage Standard', azure: 'Penstock, Blob Storage hot' },
  configuration:
    'Agents in your account with zone-aligned clients. Each batch is one file for all partitions, and each zone fetches a file once. Merging, and traffic to our metadata service, are lines of their own.',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'agent',
  cpu: PENSTOCK_CPU,
  plans: PENSTOCK_PLANS,
  cells: [
    ...AGENT_CELLS,
    {
      symbol: 'put_s',
      label:
        'PUTs of ingestion: one per full batch; at low load one per agent and interval, but none for less than a record',
      unit: 'PUT/s',
      formula: formula(
        'max(wire_mib_s ÷ standard_batch_mib, min(agents × 1000 ÷ standard_batch_ms, wire ÷ record_bytes))',
      ),
    },
    {
      symbol: 'get_s',
      label: 'GETs of readers: each file once per zone that reads and did not write it, and a tenth more',
      unit: 'GET/s',
      formula: formula('put_s × file_gets × (zones − 1) × min(1, fanout)'),
    },
    ...COMPACTION_CELLS,
    {
      symbol: 'compaction_get_s',
      label: 'GETs for merging: each file once, and the second level',
      unit: 'GET/s',
      formula: formula('put_s + long_runs_get_s'),
    },
    ...CONTROL_PLANE_CELLS,
  ],
  lines: [
    AGENT_LINE,
    OBJECT_STORAGE,
    restoreWindow('rewrites'),
    requestLine('put', 'PUTs of ingestion', 'PUTs per second, all seconds of the month, in thousands', 'put_s', 'put'),
    requestLine('get', 'GETs of readers', 'GETs per second, all seconds of the month, in thousands', 'get_s', 'get'),
    requestLine(
      'merge-put',
      'PUTs of merging',
      'PUTs per second, all seconds of the month, in thousands',
      'compaction_put_s',
      'put',
    ),
    requestLine(
      'merge-get',
      'GETs of merging',
      'GETs per second, all seconds of the month, in thousands',
      'compaction_get_s',
      'get',
    ),
    ...CONTROL_PLANE_LINES,
    PENSTOCK_WRITES,
    clusterMinutes('Cluster-minutes', 'own plan'),
  ],
  latency: {
    ...STANDARD_BATCH_LATENCY,
    basis: 'estimated',
    note: `Not measured on S3 yet. We use the figures that WarpStream publishes for the same design and interval. At high load our files are larger, and take longer to write. On local storage, we measured ${MEASURED_AGENT.produceP50Ms} and ${MEASURED_AGENT.produceP99Ms} ms for produce at 250 ms (${MEASURED_AGENT.command}, ${MEASURED_AGENT.day}).`,
  },
};
