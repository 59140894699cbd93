// A price book's write tiers in bytes: which bytes of the month belong to which tier.
import { decimal, type PriceBook, type Tier, type UsdPer, usdPer } from '@penstock/pricing';

export const BYTES_PER_GIB = 2n ** 30n;

/** A tier that ends at this many bytes of the month. */
export interface WriteTierBytes extends Tier<bigint> {
  /** The first tier is 1. */
  tier: number;
  usdPerGib: UsdPer<'GiB'>;
}

const tiersOfBook = new WeakMap<PriceBook, readonly WriteTierBytes[]>();

/** @throws RangeError if a bound is not a whole number of bytes, because a byte could then belong to two tiers */
export function writeTiersOf(book: PriceBook): readonly WriteTierBytes[] {
  const known = tiersOfBook.get(book);
  if (known !== undefined) {
    return known;
  }
  const tiers = book.writes.map(
    ({ upToGib, usdPerGib }, index): WriteTierBytes => ({
      tier: index + 1,
      upTo: upToGib === null ? null : wholeBytes(upToGib),
      usdPerGib: usdPer(usdPerGib),
    }),
  );
  tiersOfBook.set(book, tiers);
  return tiers;
}

function wholeBytes(gib: string): bigint {
  const bytes = decimal(gib).times(decimal(BYTES_PER_GIB));
  if (!bytes.isInteger()) {
    throw new RangeError(`the bound of a tier is not a whole number of bytes: ${gib} GiB`);
  }
  return BigInt(bytes.toFixed(0));
}
