// Formats amounts and quantities. They arrive as exact text and integers; nothing is computed in floats here.

/** `$1,234.50` from exact text with two decimals. */
export function money(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  return exactMoney(`${whole}.${fraction.padEnd(2, '0')}`);
}

/** A unit price or unrounded amount with all its digits: `$0.0023`. */
export function exactMoney(text: string): string {
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction] = (isNegative ? text.slice(1) : text).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${isNegative ? '−' : ''}$${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

const BYTES_PER_GIB = 2n ** 30n;

/** Bytes as GiB with six decimals, rounded half up; `1,234.567891`. */
export function gibText(bytes: bigint): string {
  const millionths = (bytes * 1_000_000n + BYTES_PER_GIB / 2n) / BYTES_PER_GIB;
  const whole = (millionths / 1_000_000n).toLocaleString('en-US');
  return `${whole}.${(millionths % 1_000_000n).toString().padStart(6, '0')}`;
}

/** The quantity of a line item in the unit of its price. */
export function quantityText(quantity: bigint, unit: 'GiB' | 'minute'): string {
  return unit === 'GiB' ? gibText(quantity) : quantity.toLocaleString('en-US');
}

export function isZeroMoney(text: string): boolean {
  return !/[1-9]/.test(text);
}

/** Converts an amount with at most two decimals to cents. */
export function centsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(2, '0')}`);
}

/** A cost as whole percent of a budget, rounded down so that 100 means reached. */
export function percentOf(costText: string, budgetText: string): number {
  const budget = centsOf(budgetText);
  return budget === 0n ? 100 : Number((centsOf(costText) * 100n) / budget);
}

/** Whether a month's usage has reached a cap. */
export function isCapReached(costText: string, capText: string): boolean {
  return centsOf(costText) >= centsOf(capText);
}
