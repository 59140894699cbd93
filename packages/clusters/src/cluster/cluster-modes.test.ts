import { describe, expect, test } from 'vitest';
import { warningOfMode } from './cluster-modes.ts';
import { loadOf } from './preview-cluster-modes.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const MIB = 1024 ** 2;

function load(...writtenMib: number[]) {
  const point = (mib: number) => ({
    startMs: 0,
    seconds: 10,
    inBytes: 1,
    inUncompressedBytes: 10 * mib * MIB,
    inRecords: 1,
    outBytes: 0,
  });
  return loadOf({ topics: [], throughput: writtenMib.map(point) });
}

describe('a change to Dev', () => {
  test('warns of the busiest ten seconds before compression if producers would be slowed down', () => {
    expect(warningOfMode('dev', load(3, 12.25, 9), NOW)).toContain('up to 12.3 MiB/s before compression');
    expect(warningOfMode('dev', load(3, 10), NOW)).toBeNull();
    expect(warningOfMode('dev', load(), NOW)).toBeNull();
  });

  test('is the only one that slows anybody down', () => {
    expect(warningOfMode('standard', load(500), NOW)).toBeNull();
    expect(warningOfMode('low-latency', load(500), NOW)).toBeNull();
  });
});
