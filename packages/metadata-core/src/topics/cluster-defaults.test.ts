import { expect, it } from 'vitest';
import { ErrorCode } from '../model/error-code.ts';
import type { ConfigOp } from '../model/topics.types.ts';
import { clusterDefaultsAfter } from './cluster-defaults.ts';

const GIB = 1024 ** 3;

function after(...ops: [kind: ConfigOp['kind'], value: string, name?: string][]) {
  const named = ops.map(([kind, value, name = 'max.uncompressed.batch.bytes']) => ({ kind, name, value }));
  return clusterDefaultsAfter({ maxUncompressedBatchBytes: GIB, mode: 'standard' }, named);
}

it('sets a default within topic bounds; deleting restores 64 MiB', () => {
  expect(after(['set', '1024'])).toEqual({ maxUncompressedBatchBytes: 1_024 });
  expect(after(['delete', ''])).toEqual({ maxUncompressedBatchBytes: 64 * 1024 ** 2 });
  for (const value of ['1023', '1073741825', 'x', '']) {
    expect(after(['set', value])).toMatchObject({ errorCode: ErrorCode.INVALID_CONFIG });
  }
});

it('refuses other configs, list operations and repeats', () => {
  expect(after(['set', '1', 'num.partitions'])).toMatchObject({
    errorCode: ErrorCode.INVALID_CONFIG,
    message: expect.stringContaining('num.partitions is no default'),
  });
  expect(after(['append', '1024'])).toMatchObject({ errorCode: ErrorCode.INVALID_CONFIG });
  expect(after(['set', '1024'], ['set', '1025'])).toMatchObject({ errorCode: ErrorCode.INVALID_REQUEST });
});
