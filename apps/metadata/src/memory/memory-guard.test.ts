import { expect, test } from 'vitest';
import { silentLogger } from '../testing/cluster-fixture.ts';
import { MemoryGuard } from './memory-guard.ts';
import { MIB } from './memory-limit.ts';

const none = { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 };

function guardOf(usage: Partial<NodeJS.MemoryUsage>): MemoryGuard {
  return new MemoryGuard({ memoryMib: 1_000, logger: silentLogger, usage: () => ({ ...none, ...usage }) });
}

test.each([
  ['objects of the heap', { rss: 650 * MIB, heapTotal: 600 * MIB, heapUsed: 600 * MIB }],
  ['arrays outside of the heap', { rss: 100 * MIB, external: 600 * MIB, arrayBuffers: 600 * MIB }],
  ['threads and native code', { rss: 600 * MIB }],
])('%s count: clusters are refused from 60 %% of the limit', (_, usage) => {
  const guard = guardOf(usage);
  expect(guard.refusal()).toMatch(/of its 1000 MiB of memory .* PENSTOCK_METADATA_MEMORY_MIB/);
  expect(guard.refusals).toBe(1);
});

test('unused memory reserved by V8 is no reason to refuse', () => {
  const guard = guardOf({ rss: 900 * MIB, heapTotal: 800 * MIB, heapUsed: 300 * MIB });
  expect(guard.usedBytes).toBe(400 * MIB);
  expect(guard.refusal()).toBeUndefined();
  expect(guard.refusals).toBe(0);
});

test('reading the obstacle does not count as a refusal', () => {
  const guard = guardOf({ rss: 600 * MIB });
  expect(guard.obstacle).toBeDefined();
  expect(guard.refusals).toBe(0);
});
