import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  defaultMemoryMib,
  hasHeapLimit,
  heapFlags,
  heapLimitsOf,
  MIN_MEMORY_MIB,
  parseMemoryMib,
} from './memory-limit.ts';

test('V8’s heap stays within the process’s memory limit', () => {
  for (let memoryMib = MIN_MEMORY_MIB; memoryMib <= 65_536; memoryMib *= 2) {
    const { oldSpaceMib, semiSpaceMib } = heapLimitsOf(memoryMib);
    expect(oldSpaceMib + 3 * semiSpaceMib).toBeLessThan(memoryMib);
  }
  expect(heapFlags(4_096)).toEqual([
    '--max-old-space-size=3481',
    '--max-semi-space-size=32',
    '--external-memory-accounted-in-global-limit',
  ]);
});

test('this version of Node accepts the flags', () => {
  // With an unknown one it does not start.
  const { status, stderr } = spawnSync(process.execPath, [...heapFlags(1_024), '--eval', ''], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('the default limit never exceeds the machine’s memory', () => {
  expect(defaultMemoryMib()).toBeGreaterThanOrEqual(MIN_MEMORY_MIB);
});

test.each(['', '1', '511', '2GB', '-512', '512.5', '99999999'])('%s is refused as a limit', (text) => {
  expect(parseMemoryMib(text)).toBeUndefined();
});

test('a number of mebibytes is accepted as a limit', () => {
  expect(parseMemoryMib('2048')).toBe(2_048);
});

describe('a heap limit that was set by hand is kept', () => {
  test.each([
    [['--max-old-space-size=100'], undefined],
    [['--enable-source-maps', '--max_old_space_size=100'], undefined],
    [['--max-heap-size=100'], undefined],
    [[], '--enable-source-maps --max-old-space-size=100'],
  ])('%j and NODE_OPTIONS=%s', (execArgv, nodeOptions) => {
    expect(hasHeapLimit(execArgv, nodeOptions)).toBe(true);
  });

  test('other flags do not set a heap limit', () => {
    expect(hasHeapLimit(['--enable-source-maps'], '--max-semi-space-size=16')).toBe(false);
  });
});
