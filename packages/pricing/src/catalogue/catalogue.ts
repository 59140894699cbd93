// The catalogue as of a day: for every item the newest entry in effect.
import { type Decimal, decimal } from '../decimal/index.ts';
import { PRICE_BOOKS } from '../price-book/index.ts';
import { AWS_ENTRIES } from './aws.ts';
import { flat, graduated } from './entry.ts';
import { OTHER_CLOUD_ENTRIES } from './other-clouds.ts';
import { SERVICE_ENTRIES } from './services.ts';
import type { CatalogueEntry } from './types.ts';

/** Our price book as catalogue entries, so that calculator and bills have the same source. */
const PENSTOCK_ENTRIES: readonly CatalogueEntry[] = PRICE_BOOKS.flatMap((book) => {
  const facts = { from: book.from, source: 'Penstock price book', sourceDate: book.from, verified: true } as const;
  return [
    graduated(
      'penstock.write',
      'Penstock',
      'Writes, uncompressed',
      book.writes.map((tier) => ({ upTo: tier.upToGib, usd: tier.usdPerGib })),
      'GiB',
      facts,
    ),
    flat('penstock.cluster-dev', 'Penstock', 'Dev cluster', book.clusterUsdPerMinute.dev, 'minute', facts),
    flat('penstock.cluster', 'Penstock', 'Standard cluster', book.clusterUsdPerMinute.standard, 'minute', facts),
    flat(
      'penstock.cluster-low-latency',
      'Penstock',
      'Low-latency cluster',
      book.clusterUsdPerMinute['low-latency'],
      'minute',
      facts,
    ),
  ];
});

/** All entries in the order in which they were added. */
export const CATALOGUE_ENTRIES: readonly CatalogueEntry[] = [
  ...AWS_ENTRIES,
  ...OTHER_CLOUD_ENTRIES,
  ...SERVICE_ENTRIES,
  ...PENSTOCK_ENTRIES,
];

/** An entry with its prices parsed. */
export interface Price {
  readonly entry: CatalogueEntry;
  readonly tiers: readonly { readonly upTo: Decimal | null; readonly usd: Decimal }[];
  /** True when the reader typed the price. */
  readonly overridden: boolean;
}

export interface Catalogue {
  readonly day: string;
  readonly prices: ReadonlyMap<string, Price>;
}

function parse(entry: CatalogueEntry): Price {
  return {
    entry,
    tiers: entry.tiers.map(({ upTo, usd }) => ({ upTo: upTo === null ? null : decimal(upTo), usd: decimal(usd) })),
    overridden: false,
  };
}

const cache = new Map<string, Catalogue>();

/** The prices in effect on a day (`YYYY-MM-DD`). An item without a price by then has its oldest known one. */
export function catalogueOn(day: string): Catalogue {
  const known = cache.get(day);
  if (known !== undefined) {
    return known;
  }
  const prices = new Map<string, Price>();
  for (const entry of CATALOGUE_ENTRIES) {
    const before = prices.get(entry.item)?.entry;
    const replaces =
      before === undefined ||
      (entry.from <= day && (before.from > day || entry.from >= before.from)) ||
      (entry.from > day && before.from > day && entry.from < before.from);
    if (replaces) {
      prices.set(entry.item, parse(entry));
    }
  }
  const catalogue = { day, prices };
  if (cache.size < 64) {
    cache.set(day, catalogue);
  }
  return catalogue;
}

/** The newest known prices. */
export const LATEST_DAY = '2026-11-21';
export const LATEST_CATALOGUE: Catalogue = catalogueOn(LATEST_DAY);

/** The catalogue with one flat price in place of each of the named items. */
export function withPrices(catalogue: Catalogue, overrides: ReadonlyMap<string, Decimal>): Catalogue {
  if (overrides.size === 0) {
    return catalogue;
  }
  const prices = new Map(catalogue.prices);
  for (const [item, usd] of overrides) {
    const before = prices.get(item);
    if (before !== undefined) {
      prices.set(item, { entry: before.entry, tiers: [{ upTo: null, usd }], overridden: true });
    }
  }
  return { day: catalogue.day, prices };
}

export interface CatalogueChange {
  readonly date: string;
  readonly entry: CatalogueEntry;
  readonly before: CatalogueEntry | null;
}

/** The changelog, newest first: every entry with the one that it replaced. */
export function catalogueChanges(): readonly CatalogueChange[] {
  return CATALOGUE_ENTRIES.map((entry) => {
    const older = CATALOGUE_ENTRIES.filter((other) => other.item === entry.item && other.from < entry.from);
    return { date: entry.from, entry, before: older.sort((a, b) => a.from.localeCompare(b.from)).at(-1) ?? null };
  }).sort((a, b) => b.date.localeCompare(a.date));
}
