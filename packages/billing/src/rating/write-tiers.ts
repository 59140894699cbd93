// The tiers of a price book's writes, in bytes: which bytes of the month fall into which.
import { decimal, type PriceBook, type UsdPer } from '@penstock/pricing';

export const bytesPerGib = 2n ** 30n;

export interface WriteTierBytes {
  /** 1 is the first. */
  tier: number;
  fromBytes: bigint;
  /** Exclusive; null: it does not end. */
  toBytes: bigint | null;
  usdPerGib: UsdPer<'GiB'>;
}

const tiersOfBook = new WeakMap<PriceBook, readonly WriteTierBytes[]>();

/** @throws RangeError when a bound is not a whole number of bytes: no byte could be said to lie on one side of it */
export function writeTiersOf(book: PriceBook): readonly WriteTierBytes[] {
  const known = tiersOfBook.get(book);
  if (known !== undefined) return known;
  let fromBytes = 0n;
  const tiers = book.writes.map(({ upToGib, usdPerGib }, index): WriteTierBytes => {
    const toBytes = upToGib === null ? null : wholeBytes(upToGib);
    const tier = { tier: index + 1, fromBytes, toBytes, usdPerGib: decimal(usdPerGib) };
    fromBytes = toBytes ?? fromBytes;
    return tier;
  });
  tiersOfBook.set(book, tiers);
  return tiers;
}

function wholeBytes(gib: string): bigint {
  const bytes = decimal(gib).times(decimal(bytesPerGib));
  if (!bytes.isInteger()) throw new RangeError(`the bound of a tier is not a whole number of bytes: ${gib} GiB`);
  return BigInt(bytes.toFixed(0));
}

export interface TieredBytes {
  tier: WriteTierBytes;
  bytes: bigint;
}

/**
 * Splits `bytes` that follow on `before` bytes of the same month over the tiers: each byte falls into the tier that the running total
 * has reached.
 */
export function splitOverTiers(tiers: readonly WriteTierBytes[], before: bigint, bytes: bigint): TieredBytes[] {
  const end = before + bytes;
  const parts: TieredBytes[] = [];
  for (const tier of tiers) {
    const from = before > tier.fromBytes ? before : tier.fromBytes;
    const to = tier.toBytes === null || end < tier.toBytes ? end : tier.toBytes;
    if (to > from) parts.push({ tier, bytes: to - from });
  }
  return parts;
}
