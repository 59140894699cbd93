// Costs of any log that writes to S3 Express One Zone and compacts to S3 Standard. A system that uses it adds the cells `agents`, `put_s`

// (to each bucket) and `get_s`, and its own fees.
import { AGENT_LINE, OBJECT_STORAGE, requestLine } from './object-parts.ts';
import { formula } from './symbols.ts';
import type { LineSpec } from './types.ts';

export const EXPRESS_LINES: readonly LineSpec[] = [
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
  {
    id: 'express-upload',
    component: 'upload and retrieval',
    label: 'Uploads to S3 Express',
    words: 'written, after compression, times the buckets that each file goes to',
    quantity: formula('wire_gb × copies'),
    price: 'item:aws.express.upload',
    basis: 'second',
    floor: null,
  },
  {
    id: 'express-retrieval',
    component: 'upload and retrieval',
    label: 'Retrievals from S3 Express',
    words: 'written, after compression: once for each zone, and once for compaction',
    quantity: formula('wire_gb × (zones + 1)'),
    price: 'item:aws.express.retrieval',
    basis: 'second',
    floor: null,
  },
];
