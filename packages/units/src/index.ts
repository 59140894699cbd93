export {
  type BinaryUnit,
  BYTES_PER_GIB,
  binaryUnitFor,
  bytesPer,
  formatByteRate,
  formatBytes,
  formatGib,
  formatInUnit,
  type Quantity,
} from './binary-bytes.ts';
export { formatAgo, formatCount, formatDateTime } from './time.ts';
