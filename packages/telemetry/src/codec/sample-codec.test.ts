import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorKey, mergeSamples, type Sample } from '../sample/sample.ts';
import { sketchOf } from '../sketch/sketch.ts';
import { anySample } from '../testing/arbitrary-samples.ts';
import { decodeSample, encodeSample } from './sample-codec.ts';
import { MalformedSample } from './varints.ts';

const golden: Sample = {
  windows: 1,
  durationMs: 10_000,
  counters: [0, 300, 0, 2 ** 40],
  gauges: [{ sum: 5, min: 5, max: 5, readings: 1 }, undefined, { sum: -7, min: -4, max: 2, readings: 3 }],
  requests: new Map([
    [0, 12],
    [3, 1],
  ]),
  errors: new Map([[errorKey(3, 7), 2]]),
  latencies: [{ stage: 3, topicClass: 0, store: 's3', sketch: sketchOf([40, 40, 250_000]) }],
};
const GOLDEN_HEX = '0101904e0201ac02028080808080200200010a02030d070602000c03010187800e02010300027333022802950301';

test('a sample comes back as it was stored', () => {
  const anyMerged = fc.array(anySample, { minLength: 1, maxLength: 3 }).map(mergeSamples);
  fc.assert(
    fc.property(anyMerged, (sample) => {
      const bytes = encodeSample(sample);
      expect(Buffer.from(encodeSample(decodeSample(bytes)))).toEqual(Buffer.from(bytes));
      expect(decodeSample(bytes)).toMatchObject({
        windows: sample.windows,
        durationMs: sample.durationMs,
        requests: sample.requests,
        errors: sample.errors,
        latencies: sample.latencies,
      });
    }),
  );
});

test('the stored form does not change by accident', () => {
  const hex = Buffer.from(encodeSample(golden)).toString('hex');
  expect(hex).toBe(GOLDEN_HEX);
  expect(decodeSample(Buffer.from(GOLDEN_HEX, 'hex'))).toEqual(golden);
});

test('damaged bytes are refused or decode to a sample', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), anySample.map(encodeSample)), fc.nat(), (bytes, at) => {
      for (const candidate of [bytes, bytes.slice(0, at % (bytes.length + 1))]) {
        try {
          decodeSample(candidate);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedSample);
        }
      }
    }),
  );
  expect(() => decodeSample(Uint8Array.of(2))).toThrow('version 2');
});
