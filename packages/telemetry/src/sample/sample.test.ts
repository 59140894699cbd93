import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeSample } from '../codec/sample-codec.ts';
import { anySample } from '../testing/arbitrary-samples.ts';
import { apiAndCodeOf, emptySample, errorKey, mergeSamples, type Sample } from './sample.ts';

/** Equal when they are stored alike. */
function stored(sample: Sample): string {
  return Buffer.from(encodeSample(sample)).toString('hex');
}

test('merging is commutative and associative with an identity', () => {
  fc.assert(
    fc.property(anySample, anySample, anySample, (a, b, c) => {
      const all = stored(mergeSamples([a, b, c]));
      expect(stored(mergeSamples([c, b, a]))).toBe(all);
      expect(stored(mergeSamples([mergeSamples([a, b]), c]))).toBe(all);
      expect(stored(mergeSamples([a, mergeSamples([b, c])]))).toBe(all);
      expect(stored(mergeSamples([a, emptySample]))).toBe(stored(a));
    }),
  );
});

test('a roll-up of roll-ups equals the roll-up of the whole', () => {
  fc.assert(
    fc.property(
      fc.array(anySample, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (samples, size) => {
        const parts: Sample[] = [];
        for (let at = 0; at < samples.length; at += size) {
          parts.push(mergeSamples(samples.slice(at, at + size)));
        }
        expect(stored(mergeSamples(parts))).toBe(stored(mergeSamples(samples)));
      },
    ),
  );
});

// Negative codes too.
test('API and error code come back from their common key', () => {
  for (const [apiKey, errorCode] of [
    [0, 0],
    [3, -1],
    [75, 32_767],
    [1, -32_768],
  ] as const) {
    expect(apiAndCodeOf(errorKey(apiKey, errorCode))).toEqual({ apiKey, errorCode });
  }
});
