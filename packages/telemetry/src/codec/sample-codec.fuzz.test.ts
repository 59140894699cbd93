// Damaged samples of telemetry: decoding returns a sample or throws MalformedSample.
import { damagedBytes, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySample } from '../testing/arbitrary-samples.ts';
import { decodeSample, encodeSample } from './sample-codec.ts';
import { MalformedSample } from './varints.ts';

test('a damaged sample is decoded or refused', async () => {
  const damaged = anySample.chain((sample) => damagedBytes(encodeSample(sample)));
  const property = fc.property(damaged, (bytes) => {
    try {
      decodeSample(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedSample);
    }
  });
  await runFuzz('files', 'telemetry-samples', 1_000, property);
});
