import { AGENT_LINE, OBJECT_STORAGE, requestLine } from './object-parts.ts';
import { COMPACTION_CELLS, PENSTOCK_AGENTS, PENSTOCK_WRITES } from './penstock-parts.ts';
import type { SystemSpec } from './types.ts';

export const PENSTOCK_STANDARD: SystemSpec = {
  id: 'penstock',
  name: 'Penstock, S3 Standard',
  drawnAs:
    'Agents in your account with zone-aligned clients. One file for all partitions per batch; within a zone each file is fetched once. CPU per GiB is set to twice our aim, because no measurement on cloud machines is published yet.',
  clouds: ['aws', 'gcp', 'azure'],
  cells: [
    PENSTOCK_AGENTS,
    {
      symbol: 'put_s',
      label:
        'PUTs of ingestion: one per full batch; at low load one per agent and interval, but none for less than a record of 1 KiB',
      unit: 'PUT/s',
      formula: 'max(wire_mib_s ÷ standard_batch_mib, min(agents × 1000 ÷ standard_batch_ms, wire ÷ 1024))',
    },
    {
      symbol: 'get_s',
      label: 'GETs of readers: each file once per zone that reads',
      unit: 'GET/s',
      formula: 'put_s × zones × min(1, fanout)',
    },
    ...COMPACTION_CELLS,
  ],
  lines: [
    AGENT_LINE,
    OBJECT_STORAGE,
    requestLine(
      'put',
      'PUTs',
      'PUTs of ingestion and compaction per second, all seconds of the month, in thousands',
      '(put_s + compaction_put_s)',
      'put',
    ),
    requestLine(
      'get',
      'GETs',
      'GETs of readers and compaction per second, all seconds of the month, in thousands',
      '(get_s + compaction_get_s)',
      'get',
    ),
    PENSTOCK_WRITES,
    {
      id: 'fee-cluster',
      component: 'vendor fee',
      label: 'Cluster-minutes',
      words: 'minutes in the month',
      quantity: 'month_h × 60',
      price: 'penstock cluster',
      basis: 'hour',
      floor: 'the cluster is billed while it exists',
    },
  ],
  latency: {
    produceP50: '250 + (standard_batch_ms − 250) ÷ 2',
    produceP99: '500 + standard_batch_ms − 250',
    endToEndP50: '500 + (standard_batch_ms − 250) ÷ 2',
    endToEndP99: '900 + standard_batch_ms − 250',
    basis: 'estimated',
    note: 'Not measured on S3 yet: taken to be what WarpStream publishes for the same design and interval.',
  },
};
