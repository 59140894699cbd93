import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { latencyStages } from '../sample/names.ts';
import { emptySample, errorKey, mergeSamples, type Sample } from '../sample/sample.ts';
import { quantileUs, sketchOf } from '../sketch/sketch.ts';
import { anyLatencyUs } from '../testing/arbitrary-samples.ts';
import { type Metric, metrics, unitOf, valuesOf } from './metrics.ts';
import { prepareSeries } from './prepare-series.ts';

const range = { startMs: 1_000_000, stepMs: 20_000, steps: 3 };

function sample(change: Partial<Sample> = {}): Sample {
  return { ...emptySample, windows: 1, durationMs: 10_000, ...change };
}

function latencies(us: number[]): Sample {
  return sample({ latencies: [{ stage: latencyStages.produce, topicClass: 0, store: '', sketch: sketchOf(us) }] });
}

function line(slots: Parameters<typeof prepareSeries>[0], metric: Metric, name: string): (number | null)[] | undefined {
  return prepareSeries(slots, metric, range).lines.find((candidate) => candidate.name === name)?.values;
}

describe('lines', () => {
  test('have a value or a gap at every step of the range', () => {
    const slots = [-10_000, 0, 40_000, 60_000].map((offsetMs) => ({
      slotMs: range.startMs + offsetMs,
      group: '',
      sample: sample({ counters: [20_000] }),
    }));
    expect(line(slots, 'rate.produced_bytes', 'value')).toEqual([1_000, null, 1_000]);
    expect(prepareSeries([], 'rate.produced_bytes', range).lines).toEqual([]);
  });

  test('show percentiles over all samples of a step', () => {
    const some = fc.array(anyLatencyUs, { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(some, some, (left, right) => {
        const slots = [left, right].map((us, index) => ({
          slotMs: range.startMs + index * 10_000,
          group: '',
          sample: latencies(us),
        }));
        const expected = (quantileUs(sketchOf([...left, ...right]), 0.95) ?? 0) / 1_000;
        expect(line(slots, 'latency.produce', 'p95')).toEqual([expected, null, null]);
      }),
    );
  });

  test('are separate for groups and in order', () => {
    const slots = ['b', 'a'].map((group) => ({ slotMs: range.startMs, group, sample: sample({ counters: [20_000] }) }));
    expect(prepareSeries(slots, 'rate.produced_bytes', range).lines.map(({ group }) => group)).toEqual(['a', 'b']);
  });

  test('are 0 for errors where measurements found none', () => {
    const slots = [
      { slotMs: range.startMs, group: '', sample: sample({ errors: new Map([[errorKey(3, 5), 40]]) }) },
      { slotMs: range.startMs + 20_000, group: '', sample: sample() },
    ];
    expect(line(slots, 'errors', 'api:3:5')).toEqual([2, 0, null]);
  });
});

describe('values', () => {
  test('have a unit and are finite or missing in every metric', () => {
    for (const metric of metrics) {
      expect(unitOf(metric)).not.toBe('');
      for (const value of valuesOf(sample(), metric, 10_000).values()) {
        expect(Number.isFinite(value)).toBe(true);
      }
    }
  });

  test('are sums over agents, averaged over time, for gauges', () => {
    const reading = (value: number) => sample({ gauges: [{ sum: value, min: value, max: value, readings: 1 }] });
    const twoAgentsTwice = mergeSamples([reading(4), reading(6), reading(10), reading(20)]);
    expect(valuesOf(twoAgentsTwice, 'gauge.open_connections', 20_000).get('value')).toBe(20);
  });

  test('are the furthest from zero for clock offsets', () => {
    const offset = (value: number) =>
      sample({ gauges: [...new Array<undefined>(6), { sum: value, min: value, max: value, readings: 1 }] });
    expect(
      valuesOf(mergeSamples([offset(5), offset(-900), offset(40)]), 'gauge.clock_offset_ms', 10_000).get('value'),
    ).toBe(-900);
  });

  test('are missing for ratios without a divisor', () => {
    expect(valuesOf(sample(), 'cache_hit_ratio', 10_000).size).toBe(0);
    const counters = [...new Array<number>(12).fill(0), 3, 1];
    expect(valuesOf(sample({ counters }), 'cache_hit_ratio', 10_000).get('value')).toBe(0.75);
  });
});
