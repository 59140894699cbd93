// Logarithmic axes with positions as shares of the drawing, 0 to 100 from the left and from the top. Pure.

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Whole powers of ten around the positive values; at least one decade, never empty. */
export function decadesAround(
  values: readonly number[],
  fallback: readonly [number, number],
): readonly [number, number] {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const low = positive.length === 0 ? fallback[0] : Math.floor(Math.log10(Math.min(...positive)) + 1e-9);
  const high = positive.length === 0 ? fallback[1] : Math.ceil(Math.log10(Math.max(...positive)) - 1e-9);
  return [low, Math.max(high, low + 1)];
}

/** The position of a positive value between two powers of ten, 0 to 100. */
export function shareOf(value: number, [low, high]: readonly [number, number]): number {
  return ((Math.log10(value) - low) / (high - low)) * 100;
}

export function decades([low, high]: readonly [number, number]): readonly number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

/** Formats as `$10`, `$1k` or `$10M`. */
export function moneyTick(exponent: number): string {
  const value = 10 ** exponent;
  if (value >= 1e9) {
    return `$${value / 1e9}B`;
  }
  return value >= 1e6 ? `$${value / 1e6}M` : value >= 1e3 ? `$${value / 1e3}k` : `$${value}`;
}

/** Formats as `0.01`, `1` or `10,000`. */
export function numberTick(exponent: number): string {
  return exponent >= 0 ? (10 ** exponent).toLocaleString('en-US') : (10 ** exponent).toFixed(-exponent);
}
