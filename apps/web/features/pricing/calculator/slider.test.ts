import { inputNamed, type NumberInput } from '@penstock/pricing';
import { describe, expect, it } from 'vitest';
import { hasSlider, sliderOf, textOfSlider } from './slider';

function numberInput(key: string): NumberInput {
  const spec = inputNamed(key);
  if (spec?.kind !== 'number') {
    throw new Error(`${key} is not a number`);
  }
  return spec;
}

describe('sliders', () => {
  it.each(['throughput', 'fanout', 'retentionDays', 'partitions'])(
    'produce a valid number at every position of %s',
    (key) => {
      const spec = numberInput(key);
      expect(hasSlider(spec)).toBe(true);
      for (let position = 0; position <= 1000; position += 50) {
        const text = textOfSlider(spec, position);
        expect(Number.isFinite(Number(text))).toBe(true);
        expect(Math.abs(sliderOf(spec, text) - position)).toBeLessThanOrEqual(100);
      }
    },
  );

  it('show the nearer end for a value out of range or not a number', () => {
    expect(sliderOf(numberInput('throughput'), '1000000')).toBe(1000);
    expect(sliderOf(numberInput('throughput'), 'NaN')).toBe(0);
  });
});
