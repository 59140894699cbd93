// Amounts and quantities as people read them. They come as exact text and whole numbers and are not computed with here.

/** `$1,234.50` from exact text with two decimals. */
export function money(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  return exactMoney(`${whole}.${fraction.padEnd(2, '0')}`);
}

/** A unit price or an amount that is not rounded, with every digit that it has: `$0.0023`. */
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

/** A quantity of a line in the unit that its price is for. */
export function quantityText(quantity: bigint, unit: 'GiB' | 'minute'): string {
  return unit === 'GiB' ? gibText(quantity) : quantity.toLocaleString('en-US');
}

export function isZeroMoney(text: string): boolean {
  return !/[1-9]/.test(text);
}

/** Of an amount with at most two decimals. */
function centsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(2, '0')}`);
}

/** How many whole percent of a budget a cost is, rounded down, so that 100 means reached. */
export function percentOf(costText: string, budgetText: string): number {
  const budget = centsOf(budgetText);
  return budget === 0n ? 100 : Number((centsOf(costText) * 100n) / budget);
}

/** Whether a month's usage has reached a cap. */
export function isCapReached(costText: string, capText: string): boolean {
  return centsOf(costText) >= centsOf(capText);
}
