import { NO_LATENCY } from './no-latency.ts';
import { serverlessLines } from './serverless-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const MSK_SERVERLESS: SystemSpec = {
  id: 'msk-serverless',
  name: 'Amazon MSK Serverless',
  configuration:
    'Billed by hours, partitions and bytes as they are sent, which are compressed. Traffic between zones is not counted. Beyond 200 MB/s in, 400 MB/s out or 2,400 partitions a cluster cannot have this load.',
  clouds: ['aws'],
  cells: [],
  lines: serverlessLines('msk-serverless'),
  limits: [
    { exceeds: formula('peak × wire ÷ 1000000'), most: formula('serverless_in_mb'), words: 'MB/s in' },
    { exceeds: formula('peak × wire × fanout ÷ 1000000'), most: formula('serverless_out_mb'), words: 'MB/s out' },
    { exceeds: formula('partitions'), most: formula('serverless_partitions'), words: 'partitions' },
  ],
  latency: NO_LATENCY,
};
