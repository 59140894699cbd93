// Uploads to object storage of systems that keep only the tail on disks.

import { requestLine } from './object-parts.ts';
import { formula } from './symbols.ts';
import type { ModelCell } from './types.ts';

export const TIER_PUTS: ModelCell = {
  symbol: 'tier_put_s',
  label: 'uploads: segments and their index files',
  unit: 'PUT/s',
  formula: formula('tier_objects × wire_mib_s ÷ segment_mib'),
};

export const TIER_PUT_LINE = requestLine(
  'tier-put',
  'Segment uploads',
  'uploads per second, all seconds of the month, in thousands',
  'tier_put_s',
  'put',
);
