// The tiers of a price book's writes, in bytes: which bytes of the month fall into which.
import { decimal, type PriceBook, type Tier, type UsdPer, usdPer } from '@penstock/pricing';

export const BYTES_PER_GIB = 2n ** 30n;

/** Ends at so many bytes of the month. */
export interface WriteTierBytes extends Tier<bigint> {
  /** 1 is the first. */
  tier: number;
  usdPerGib: UsdPer<'GiB'>;
}

const tiersOfBook = new WeakMap<PriceBook, readonly WriteTierBytes[]>();

/** @throws RangeError when a bound is not a whole number of bytes: no byte could be said to lie on one side of it */
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
