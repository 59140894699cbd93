// Samples of what clients push: they add up whatever their order, and survive being stored.
import { expect, test } from 'vitest';
import { clientMetricNames, clientMetrics } from './client-metrics.ts';
import {
  type ClientSample,
  clientLinesOf,
  fromStoredClientSample,
  MAX_CLIENT_INSTANCES,
  mergeClientSamples,
  toStoredClientSample,
} from './client-sample.ts';

function sampleOf(instance: string, ...readings: number[]): ClientSample {
  return {
    software: [['librdkafka', '2.12.1']],
    instances: [instance],
    metrics: new Map([
      [
        'producer.record.send.rate',
        {
          readings: readings.length,
          sum: readings.reduce((sum, value) => sum + value, 0),
          max: Math.max(...readings),
        },
      ],
    ]),
  };
}

test('metrics have unique numbers that count up from 1', () => {
  expect(clientMetricNames.map((name) => clientMetrics[name].number)).toEqual(
    Array.from({ length: clientMetricNames.length }, (_, index) => index + 1),
  );
});

test('readings add up and count each instance once', () => {
  const samples = [sampleOf('b', 2), sampleOf('a', 4, 6), sampleOf('b', 8)];
  const merged = mergeClientSamples(samples);
  expect(merged).toEqual(mergeClientSamples(samples.toReversed()));
  expect(merged).toEqual(mergeClientSamples([mergeClientSamples(samples.slice(0, 2)), ...samples.slice(2)]));
  expect(merged.instances).toEqual(['a', 'b']);
  expect(merged.software).toEqual([['librdkafka', '2.12.1']]);
  expect(merged.metrics.get('producer.record.send.rate')).toEqual({ readings: 4, sum: 20, max: 8 });
});

test('the number of instances is bounded, whatever the order', () => {
  const many = Array.from({ length: 2 * MAX_CLIENT_INSTANCES }, (_, index) =>
    sampleOf(String(index).padStart(5, '0'), 1),
  );
  const merged = mergeClientSamples(many);
  expect(merged.instances).toHaveLength(MAX_CLIENT_INSTANCES);
  expect(merged.instances).toEqual(mergeClientSamples(many.toReversed()).instances);
});

test('a sample survives storage without unknown metrics', () => {
  const stored = toStoredClientSample(sampleOf('a', 1.5, 2));
  const read = JSON.parse(JSON.stringify(stored)) as typeof stored;
  expect(fromStoredClientSample(read)).toEqual(sampleOf('a', 1.5, 2));
  read.metrics['999'] = [1, 1, 1];
  expect(fromStoredClientSample(read)).toEqual(sampleOf('a', 1.5, 2));
});

test('a step has its pushes’ mean and maximum, or a gap', () => {
  const range = { startMs: 60_000, stepMs: 20_000, steps: 3 };
  const slots = [
    { slotMs: 50_000, sample: sampleOf('a', 100) },
    { slotMs: 60_000, sample: sampleOf('a', 1) },
    { slotMs: 70_000, sample: sampleOf('b', 2, 6) },
    { slotMs: 100_000, sample: sampleOf('a', 4) },
    { slotMs: 120_000, sample: sampleOf('a', 100) },
  ];
  expect(clientLinesOf(slots, range)).toEqual([
    { metric: 'producer.record.send.rate', mean: [3, null, 4], max: [6, null, 4] },
  ]);
});
