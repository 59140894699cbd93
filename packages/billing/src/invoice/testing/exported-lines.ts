// Reads the lines of an exported bill with integers only. An auditor: it knows the columns of the file, and none of the code that wrote it.

/** A line of the CSV. Cells without a value are empty. */
export interface Exported {
  invoice: string;
  line: string;
  product: string;
  cluster_id: string;
  cluster_name: string;
  mode: string;
  tier: string;
  description: string;
  quantity: string;
  unit: string;
  quantity_bytes: string;
  unit_price_usd: string;
  amount_usd: string;
}

const GIB = 2n ** 30n;

/** A decimal as an integer with this many places. */
function scaled(text: string, places: number): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || fraction.length > places) {
    throw new Error(`${text} is no decimal with up to ${places} places.`);
  }
  const digits = BigInt(whole + fraction.padEnd(places, '0'));
  return sign === '' ? digits : -digits;
}

export function centsOf(amountUsd: string): bigint {
  return scaled(amountUsd, 2);
}

/** The bytes of a quantity in GiB, which must be whole. A byte has thirty places. */
export function exactBytes(gib: string): bigint {
  const bytes = scaled(gib, 30) * GIB;
  if (bytes % 10n ** 30n !== 0n) {
    throw new Error(`${gib} GiB are not whole bytes.`);
  }
  return bytes / 10n ** 30n;
}

/** Quantity times price, rounded half up to cents. */
export function auditedCents(line: Pick<Exported, 'unit' | 'quantity' | 'quantity_bytes' | 'unit_price_usd'>): bigint {
  const [quantity, perUnit] = line.unit === 'GiB' ? [BigInt(line.quantity_bytes), GIB] : [BigInt(line.quantity), 1n];
  const divisor = perUnit * 10n ** 10n;
  return (2n * quantity * scaled(line.unit_price_usd, 12) + divisor) / (2n * divisor);
}

/** A text as it stands in the file, where an apostrophe marks what a spreadsheet would execute. */
export function asWritten(text: string): string {
  return /^[=+@\t\r]/.test(text) || (text.startsWith('-') && !/^-\d+(\.\d+)?$/.test(text)) ? `'${text}` : text;
}
