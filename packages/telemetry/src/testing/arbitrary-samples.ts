// Samples as agents could make them, for property tests.
import fc from 'fast-check';
import { counterNames, gaugeNames } from '../sample/names.ts';
import { errorKey, latencyKey, type Sample } from '../sample/sample.ts';
import { GREATEST_US } from '../sketch/buckets.ts';
import { sketchOf } from '../sketch/sketch.ts';

/** Latencies of all orders of magnitude: most of the range's numbers are long. */
export const anyLatencyUs = fc
  .tuple(fc.integer({ min: 0, max: 31 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([power, share]) => Math.min(GREATEST_US, Math.floor(2 ** (power + share))));

export const anySketch = fc.array(anyLatencyUs, { minLength: 1, maxLength: 40 }).map(sketchOf);

const anyCount = fc.integer({ min: 0, max: 2 ** 40 });

const anyGauge = fc
  .integer({ min: -(2 ** 36), max: 2 ** 36 })
  .map((value) => ({ sum: value, min: value, max: value, readings: 1 }));

const anyLatencies = fc
  .uniqueArray(
    fc.record({
      stage: fc.integer({ min: 1, max: 9 }),
      topicClass: fc.constantFrom(0, 1),
      store: fc.constantFrom('', 's3', 'gs'),
      sketch: anySketch,
    }),
    { selector: latencyKey, maxLength: 6 },
  )
  .map((series) => series.sort((left, right) => (latencyKey(left) < latencyKey(right) ? -1 : 1)));

function anyCounts(key: fc.Arbitrary<number>): fc.Arbitrary<Map<number, number>> {
  return fc
    .uniqueArray(fc.tuple(key, fc.integer({ min: 1, max: 2 ** 30 })), { selector: ([of]) => of, maxLength: 5 })
    .map((counts) => new Map(counts.sort(([left], [right]) => left - right)));
}

const anyApiKey = fc.integer({ min: 0, max: 80 });

/** The sample of one agent in one window. */
export const anySample: fc.Arbitrary<Sample> = fc.record({
  windows: fc.constant(1),
  durationMs: fc.integer({ min: 1, max: 3_600_000 }),
  counters: fc.array(anyCount, { maxLength: counterNames.length }),
  gauges: fc.array(fc.option(anyGauge, { nil: undefined }), { maxLength: gaugeNames.length }),
  requests: anyCounts(anyApiKey),
  errors: anyCounts(fc.tuple(anyApiKey, fc.integer({ min: -1, max: 130 })).map(([api, code]) => errorKey(api, code))),
  latencies: anyLatencies,
});
