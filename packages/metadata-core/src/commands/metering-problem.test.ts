import { randomBytes } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CommitFile } from '../model/data.types.ts';
import { fileMeteringProblem, meteringProblem } from './metering-problem.ts';

const HEADER_BYTES = 61;

function problemOf(stored: number, uncompressed: number): string | null {
  const columns = {
    batchBytes: Uint32Array.of(100, stored),
    batchUncompressedBytes: Float64Array.of(100, uncompressed),
  };
  return meteringProblem(columns as CommitFile);
}

test.each([
  ['no bytes at all', 61, 0],
  ['less than a header', 61, 60],
  ['a header for a batch of a mebibyte', 1_048_576, 61],
  ['two thirds of what is stored', 900_000, 600_000],
  ['8 GiB in a header', 61, 8 * 1024 ** 3],
  ['more than zstd can make of four bytes', 65, 61 + 131_073],
  ['a batch that is shorter than a header', 0, 61],
])('a commit that names %s is recognized as impossible', (_what, stored, uncompressed) => {
  expect(problemOf(stored, uncompressed)).toContain('batch_uncompressed_bytes[1]');
});

test.each([
  ['an empty batch', 61, 61],
  ['an uncompressed batch', 5_000, 5_000],
  ['a batch that compresses well', 5_000, 5_000_000],
  ['a block of zstd that repeats one byte', 65, 61 + 131_072],
])('%s is possible', (_what, stored, uncompressed) => {
  expect(problemOf(stored, uncompressed)).toBeNull();
});

test('a batch that compression made larger is always possible', () => {
  for (const bytes of [1, 10, 100, 1_000, 100_000, 1_000_000]) {
    const content = randomBytes(bytes);
    for (const compressed of [gzipSync(content), gzipSync(content, { level: 0 }), zstdCompressSync(content)]) {
      expect(problemOf(HEADER_BYTES + compressed.length, HEADER_BYTES + bytes)).toBeNull();
    }
    // https://github.com/google/snappy: MaxCompressedLength, and the frame of snappy-java.
    expect(problemOf(HEADER_BYTES + 32 + bytes + Math.floor(bytes / 6) + 20, HEADER_BYTES + bytes)).toBeNull();
  }
});

test.each([
  ['as deflate at its best', 10 * 1024 ** 2, [10 * 1024 ** 3], true],
  ['a few batches of zeros in a small file', 100_000, [1024 ** 3, 1024 ** 3], true],
  ['many batches of zeros in a small file', 100_000, [1024 ** 3, 1024 ** 3, 1024 ** 3], false],
  ['more than any file', 4 * 1024 ** 3, Array<number>(65).fill(1024 ** 3), false],
])('checks the total that the batches of a file claim: %s', (_what, fileBytes, batchUncompressedBytes, isPossible) => {
  const columns = { fileBytes, batchUncompressedBytes: Float64Array.from(batchUncompressedBytes) };
  expect(fileMeteringProblem(columns as CommitFile) === null).toBe(isPossible);
});

test('real compression of zeros is possible', () => {
  const content = Buffer.alloc(64 * 1024 * 1024);
  for (const compressed of [gzipSync(content), zstdCompressSync(content)]) {
    expect(problemOf(HEADER_BYTES + compressed.length, HEADER_BYTES + content.length)).toBeNull();
  }
});

/** The most that one batch, as large as its file, may claim of this file. */
function mostClaimed(fileBytes: number): number {
  let [possible, impossible] = [0, 2 ** 40];
  while (impossible - possible > 1) {
    const claim = Math.floor((possible + impossible) / 2);
    const batchUncompressedBytes = Float64Array.of(100, claim);
    const columns = { fileBytes, batchBytes: Uint32Array.of(100, fileBytes), batchUncompressedBytes } as CommitFile;
    const isImpossible = claim >= 100 && (meteringProblem(columns) ?? fileMeteringProblem(columns)) !== null;
    [possible, impossible] = isImpossible ? [possible, claim] : [claim, impossible];
  }
  return possible;
}

// infra/docs/decisions/0055: a codec in the commit would not lower these, because an agent that lies would name zstd.
test.each([
  [6_000, 186],
  [1024 ** 2, 3_080],
  [15 * 1024 ** 2, 17_528],
  [62 * 1024 ** 2, 65_536],
  [2 * 1024 ** 3, 65_536],
])('a file of %d bytes claims at most %d MiB', (fileBytes, mebibytes) => {
  expect(Math.round(mostClaimed(fileBytes) / 1024 ** 2)).toBe(mebibytes);
});
