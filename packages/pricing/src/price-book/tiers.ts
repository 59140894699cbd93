// Graduated prices: splits an amount into tiers.

/** One step of a graduated price. It ends at `upTo`; null for the last one. */
export interface Tier<Amount> {
  readonly upTo: Amount | null;
}

/** The part of an amount in one tier: from `from` to `to`. */
export interface TierPart<Amount, OwnTier extends Tier<Amount>> {
  readonly tier: OwnTier;
  readonly from: Amount;
  readonly to: Amount;
}

/**
 * Splits the amount from `from` to `to` into consecutive tiers that start at zero. Exact for any number type that `isLess` compares. Empty
 * tiers are left out.
 */
export function splitOverTiers<Amount, OwnTier extends Tier<Amount>>(
  tiers: readonly OwnTier[],
  from: Amount,
  to: Amount,
  isLess: (left: Amount, right: Amount) => boolean,
): TierPart<Amount, OwnTier>[] {
  const parts: TierPart<Amount, OwnTier>[] = [];
  let begin = from;
  for (const tier of tiers) {
    const end = tier.upTo === null || isLess(to, tier.upTo) ? to : tier.upTo;
    if (isLess(begin, end)) {
      parts.push({ tier, from: begin, to: end });
      begin = end;
    }
  }
  return parts;
}
