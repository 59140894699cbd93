import { valueText } from '@penstock/charts';
import { formatByteRate, formatBytes } from '@penstock/units';

/** Placeholder for a figure that was not measured. */
export const NO_FIGURE = '–';

export function byteRateText(bytesPerS: number | null | undefined): string {
  if (bytesPerS === null || bytesPerS === undefined) {
    return NO_FIGURE;
  }
  const { value, unit } = formatByteRate(bytesPerS);
  return `${value} ${unit}`;
}

export function bytesText(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) {
    return NO_FIGURE;
  }
  const { value, unit } = formatBytes(bytes);
  return `${value} ${unit}`;
}

export function latencyText(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? NO_FIGURE : valueText('ms', ms);
}

export function coresText(cores: number | null | undefined): string {
  return cores === null || cores === undefined ? NO_FIGURE : `${cores.toFixed(2)} cores`;
}

export function rateText(perS: number | null | undefined): string {
  return perS === null || perS === undefined ? NO_FIGURE : valueText('1/s', perS);
}
