// Helpers to write entries concisely.
import type { CatalogueEntry, PriceTier, PriceUnit, Provider } from './types.ts';

interface Facts {
  from: string;
  source: string;
  sourceDate: string;
  verified: boolean;
  note?: string;
}

/** An entry with one price for every quantity. */
export function flat(
  item: string,
  provider: Provider,
  label: string,
  usd: string,
  unit: PriceUnit,
  facts: Facts,
): CatalogueEntry {
  return { item, provider, label, unit, tiers: [{ upTo: null, usd }], ...facts };
}

/** An entry with graduated prices: each step applies only to its own part of the quantity. */
export function graduated(
  item: string,
  provider: Provider,
  label: string,
  tiers: readonly PriceTier[],
  unit: PriceUnit,
  facts: Facts,
): CatalogueEntry {
  return { item, provider, label, unit, tiers, ...facts };
}
