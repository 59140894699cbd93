// Binary byte units for display: 1 KiB = 1,024 bytes, 1 GiB = 2^30 bytes. (Clouds bill in GB = 10^9 bytes; figures that compare with such a
// bill must use GB and are not formatted here.)

const STEP = 1_024;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;

export type BinaryUnit = (typeof UNITS)[number];
export interface Quantity {
  value: string;
  unit: string;
}

/** The largest binary unit in which `bytes` is at least 1. */
export function binaryUnitFor(bytes: number): BinaryUnit {
  let unit: BinaryUnit = 'B';
  let rest = Math.abs(bytes);
  for (const next of UNITS) {
    unit = next;
    if (rest < STEP) {
      break;
    }
    rest /= STEP;
  }
  return unit;
}

/** Bytes in one `unit`. */
export function bytesPer(unit: BinaryUnit): number {
  return STEP ** UNITS.indexOf(unit);
}

/** Three significant digits, with thousands separators, for a number in a given unit. Whole bytes stay whole. */
export function formatInUnit(bytes: number, unit: BinaryUnit): string {
  const scaled = bytes / bytesPer(unit);
  const magnitude = Math.abs(scaled);
  const decimals = unit === 'B' || magnitude >= 100 || scaled === 0 ? 0 : magnitude >= 10 ? 1 : 2;
  return scaled.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** An amount of data in its most readable unit. Exact to three digits; display only, never for billing. */
export function formatBytes(bytes: number | bigint): Quantity {
  const amount = Number(bytes);
  const unit = binaryUnitFor(amount);
  return { value: formatInUnit(amount, unit), unit };
}

/** A rate in bytes per second in its most readable unit. */
export function formatByteRate(bytesPerSecond: number): Quantity {
  const { value, unit } = formatBytes(bytesPerSecond);
  return { value, unit: `${unit}/s` };
}
