// What S3 Express One Zone bills for every byte.
import type { LineSpec } from './types.ts';

export const EXPRESS_TRANSFER_LINES: readonly LineSpec[] = [
  {
    id: 'express-upload',
    component: 'upload and retrieval',
    label: 'Uploads to S3 Express',
    words: 'written, after compression, times the buckets that each file goes to',
    quantity: 'wire_gb × copies',
    price: 'item:aws.express.upload',
    basis: 'second',
    floor: null,
  },
  {
    id: 'express-retrieval',
    component: 'upload and retrieval',
    label: 'Retrievals from S3 Express',
    words: 'written, after compression: once for each zone, and once for compaction',
    quantity: 'wire_gb × (zones + 1)',
    price: 'item:aws.express.retrieval',
    basis: 'second',
    floor: null,
  },
];
