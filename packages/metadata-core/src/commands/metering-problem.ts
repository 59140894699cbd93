// Detects commits whose uncompressed sizes, which bills are computed from, cannot be true. The RPC layer refuses them: the rules of the
// state machine accept any size, so that older journals replay as they were written.
import { MIN_BATCH_BYTES } from '../limits.ts';
import type { CommitFile } from './data.types.ts';

/**
 * Compression can make a batch larger. The worst case of the codecs is Snappy's, a sixth more (snappy::MaxCompressedLength); their headers
 * and checksums take less than 64 bytes for a batch.
 */
const WORST_EXPANSION = 1 / 4;
const WORST_EXPANSION_BYTES = 256;

/** The most bytes that are stored for a batch of this uncompressed size. */
export function mostStoredBytes(uncompressedBytes: number): number {
  return uncompressedBytes + Math.floor(uncompressedBytes * WORST_EXPANSION) + WORST_EXPANSION_BYTES;
}

/** Why the uncompressed sizes of a commit cannot be true, for the owner of the cluster. Null when they can be. */
export function meteringProblem({ batchBytes, batchUncompressedBytes }: CommitFile): string | null {
  for (let batch = 0; batch < batchBytes.length; batch += 1) {
    const stored = batchBytes[batch] ?? 0;
    const uncompressed = batchUncompressedBytes[batch] ?? 0;
    if (uncompressed < MIN_BATCH_BYTES) {
      return `batch_uncompressed_bytes[${batch}] is ${uncompressed}, but the header of a batch alone has ${MIN_BATCH_BYTES} bytes`;
    }
    if (stored > mostStoredBytes(uncompressed)) {
      return `batch_uncompressed_bytes[${batch}] is ${uncompressed}, but the batch has ${stored} bytes as stored`;
    }
  }
  return null;
}
