import { NO_LATENCY } from './no-latency.ts';
import { serverlessLines } from './serverless-parts.ts';
import type { SystemSpec } from './types.ts';

export const REDPANDA_SERVERLESS: SystemSpec = {
  id: 'redpanda-serverless',
  name: 'Redpanda Serverless',
  configuration:
    'Billed by hours, partitions and bytes as they are sent, which are compressed. Its limits of throughput differ by region, and we found none that we could verify: it may not take this load. Traffic between zones is not counted.',
  clouds: ['aws'],
  cells: [],
  lines: serverlessLines('redpanda-serverless'),
  latency: NO_LATENCY,
};
