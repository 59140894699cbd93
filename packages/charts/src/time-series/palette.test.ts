import { describe, expect, test } from 'vitest';
import { COLOUR_COUNT, colourAt, palette } from './palette.ts';

type Rgb = readonly [number, number, number];

/** Linear light of a hex colour. */
function linear(hex: string): Rgb {
  const at = (index: number): number => {
    const value = Number.parseInt(hex.slice(1 + index * 2, 3 + index * 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [at(0), at(1), at(2)];
}

function times(matrix: readonly Rgb[], [red, green, blue]: Rgb): Rgb {
  const row = (index: number): number => {
    const [a, b, c] = matrix[index] ?? [0, 0, 0];
    return a * red + b * green + c * blue;
  };
  return [row(0), row(1), row(2)];
}

/** OKLab, in which distances approximate perceived differences. */
function toOklab(colour: Rgb): Rgb {
  const [red, green, blue] = colour.map((value) => Math.min(1, Math.max(0, value)));
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    [red ?? 0, green ?? 0, blue ?? 0],
  );
  const [long, medium, short] = cones.map(Math.cbrt);
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [long ?? 0, medium ?? 0, short ?? 0],
  );
}

/** Simulated colour blindness: Machado, Oliveira and Fernandes 2009, at full severity. */
const sight: Record<string, readonly Rgb[]> = {
  'usual sight': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** About five times the just noticeable difference. */
const LEAST_DISTANCE = 0.1;
/** Minimum contrast of graphics with their background: WCAG 2.2, 1.4.11. */
const LEAST_CONTRAST = 3;
const surfaces = { light: '#ffffff', dark: '#121519' } as const;

function luminance(hex: string): number {
  const [red, green, blue] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(left: string, right: string): number {
  const [dim, bright] = [luminance(left), luminance(right)].toSorted((a, b) => a - b);
  return ((bright ?? 0) + 0.05) / ((dim ?? 0) + 0.05);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(Object.keys(sight))('any two colours are distinguishable with %s', (kind) => {
    const seen = palette[theme].map((hex) => toOklab(times(sight[kind] ?? [], linear(hex))));
    const distances = seen.flatMap((left, index) =>
      seen.slice(index + 1).map((right) => Math.hypot(...left.map((value, axis) => value - (right[axis] ?? 0)))),
    );
    expect(Math.min(...distances)).toBeGreaterThan(LEAST_DISTANCE);
  });

  test('every colour has enough contrast with the surface', () => {
    for (const hex of palette[theme]) {
      expect(contrast(hex, surfaces[theme])).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    }
  });
});

test('draws lines beyond the palette in grey', () => {
  const all = Array.from({ length: COLOUR_COUNT + 2 }, (_, place) => colourAt(place));
  expect(new Set(all).size).toBe(COLOUR_COUNT + 1);
  expect(all.at(-1)).toBe('var(--line-input)');
});
