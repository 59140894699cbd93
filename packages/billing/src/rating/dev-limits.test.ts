import { limits } from '@penstock/metadata-core';
import { PRICE_BOOKS } from '@penstock/pricing';
import { expect, test } from 'vitest';

test.each(PRICE_BOOKS)('price book $id sells the Dev limits that are enforced', ({ dev }) => {
  expect(dev).toEqual({
    maxWrittenMibPerSecond: limits.MAX_WRITTEN_BYTES_PER_SECOND_OF_DEV_CLUSTER / 1024 ** 2,
    maxPartitions: limits.MAX_PARTITIONS_PER_DEV_CLUSTER,
  });
});
