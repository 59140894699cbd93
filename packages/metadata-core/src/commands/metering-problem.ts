// Detects commits whose uncompressed sizes, which bills are computed from, cannot be true: too small, or too large. The RPC layer refuses
// them with the name of the field, the state machine in any case.

import { doubleAt, wordAt } from '../model/checked.ts';
import type { CommitFile } from '../model/data.types.ts';
import {
  FREE_FILE_UNCOMPRESSED_BYTES,
  MAX_COMPRESSION_RATIO,
  MAX_FILE_COMPRESSION_RATIO,
  MAX_FILE_UNCOMPRESSED_BYTES,
  MIN_BATCH_BYTES,
} from '../model/limits.ts';

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

/** The most that a batch of this many stored bytes can decompress to, header included. */
function mostUncompressedBytes(storedBytes: number): number {
  return MIN_BATCH_BYTES + (storedBytes - MIN_BATCH_BYTES) * MAX_COMPRESSION_RATIO;
}

/** Why the uncompressed sizes of a commit cannot be true, for the owner of the cluster. Null when they can be. */
export function meteringProblem({ batchBytes, batchUncompressedBytes }: CommitFile): string | null {
  for (let batch = 0; batch < batchBytes.length; batch += 1) {
    const stored = wordAt(batchBytes, batch);
    const uncompressed = doubleAt(batchUncompressedBytes, batch);
    if (uncompressed < MIN_BATCH_BYTES) {
      return `batch_uncompressed_bytes[${batch}] is ${uncompressed}, but the header of a batch alone has ${MIN_BATCH_BYTES} bytes`;
    }
    if (stored > mostStoredBytes(uncompressed) || uncompressed > mostUncompressedBytes(stored)) {
      return `batch_uncompressed_bytes[${batch}] is ${uncompressed}, but the batch has ${stored} bytes as stored`;
    }
  }
  return null;
}

/** Why a file's batches cannot total this many uncompressed bytes; null if they can. */
export function fileMeteringProblem({ fileBytes, batchUncompressedBytes }: CommitFile): string | null {
  let bytes = 0;
  for (const uncompressed of batchUncompressedBytes) {
    bytes += uncompressed;
  }
  const most = Math.min(
    MAX_FILE_UNCOMPRESSED_BYTES,
    FREE_FILE_UNCOMPRESSED_BYTES + fileBytes * MAX_FILE_COMPRESSION_RATIO,
  );
  return bytes > most
    ? `batch_uncompressed_bytes add up to ${bytes}, but a file of ${fileBytes} bytes may hold at most ${most}: commit the batches in several files`
    : null;
}
