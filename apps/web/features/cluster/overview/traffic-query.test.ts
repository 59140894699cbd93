import { parseState } from '@penstock/pricing';
import { describe, expect, it } from 'vitest';
import { figuresOf, queryOf, type Traffic } from './traffic-query';

const MIB = 1_048_576;
const topic = (partitions: number, storedBytes: number, retention?: string) => ({
  partitions,
  storedBytes,
  configs: retention === undefined ? [] : [{ name: 'retention.ms', value: retention }],
});
const traffic: Traffic = {
  written: [null, 40 * MIB, 80 * MIB, 60 * MIB],
  stored: [null, 10 * MIB, 20 * MIB, 15 * MIB],
  fetched: [null, 30 * MIB, 30 * MIB, 30 * MIB],
  topics: [topic(200, 300, '86400000'), topic(88, 100, '432000000')],
};

describe('a cluster’s traffic in the calculator', () => {
  // Throughput, compression, fan-out, partitions, retention and peak.
  it('matches what the cluster really had', () => {
    const figures = figuresOf(traffic);
    expect(figures).toEqual({
      writtenBytesPerSecond: 60 * MIB,
      compressionRatio: 4,
      fanout: 2,
      partitions: 288,
      retentionDays: 2,
      peakToAverage: 80 / 60,
    });
    const { state, errors } = parseState(new URLSearchParams(figures === null ? '' : queryOf(figures)));
    expect(errors).toEqual({});
    expect(state.inputs).toMatchObject({
      throughput: '60',
      throughputUnit: 'MiB/s',
      throughputBasis: 'uncompressed',
      compressionRatio: '4',
      fanout: '2',
      partitions: '288',
      retentionDays: '2',
      peakToAverage: '1.33',
    });
  });

  it.each([
    ['a trickle', { written: [0.3], stored: [0.2], fetched: [0] }],
    ['a flood', { written: [9e11], stored: [1e9], fetched: [1e15] }],
    ['bytes that grew by compression', { written: [100], stored: [120], fetched: [500] }],
  ])('opens without errors for %s', (_, rates) => {
    const figures = figuresOf({ ...traffic, ...rates });
    expect(parseState(new URLSearchParams(figures === null ? 'none' : queryOf(figures))).errors).toEqual({});
  });

  it('is empty without writes', () => {
    expect(figuresOf({ ...traffic, written: [0, null], stored: [0, null] })).toBeNull();
    expect(figuresOf({ ...traffic, written: [], stored: [] })).toBeNull();
  });

  it.each([
    ['Kafka’s default where none is set', [topic(1, 5)], 7],
    ['a year where records are kept for ever', [topic(1, 5, '-1')], 365],
    ['by partitions while nothing is stored', [topic(3, 0, '86400000'), topic(1, 0, '432000000')], 2],
    ['the default without topics', [], 7],
  ])('takes %s as the retention', (_, topics, days) => {
    expect(figuresOf({ ...traffic, topics })?.retentionDays).toBe(days);
  });
});
