// Penstock's own prices: dated, never edited. Billing and the calculator both use them.
import {
  amountOf,
  type Decimal,
  decimal,
  type Quantity,
  quantity,
  sumUsd,
  type Usd,
  type UsdPer,
  usdPer,
  ZERO,
} from '../decimal/index.ts';
import { splitOverTiers } from './tiers.ts';

export const CLUSTER_KINDS = ['dev', 'standard', 'low-latency'] as const;
export type ClusterKind = (typeof CLUSTER_KINDS)[number];

/** One step of the graduated price of writes. `upToGib` is its end within the organization's month; null for the last step. */
export interface WriteTier {
  readonly upToGib: string | null;
  readonly usdPerGib: string;
}

export interface PriceBook {
  /** Names the version on invoices; also the first UTC day of its validity. */
  readonly id: string;
  readonly from: string;
  readonly writes: readonly WriteTier[];
  readonly clusterUsdPerMinute: Readonly<Record<ClusterKind, string>>;
  /** Limits of the dev cluster, whose minutes are free and which has no SLA. Written MiB are uncompressed. */
  readonly dev: { readonly maxWrittenMibPerSecond: number; readonly maxPartitions: number };
  /** Credits of a new organization. They do not expire. */
  readonly signUpCreditUsd: string;
}

const GIB_PER_TIB = 1024;

/** All versions, oldest first. A price change is a new version at the end. */
export const PRICE_BOOKS: readonly PriceBook[] = [
  {
    id: '2026-11-01',
    from: '2026-11-01',
    writes: [
      { upToGib: String(10 * GIB_PER_TIB), usdPerGib: '0.008' },
      { upToGib: String(100 * GIB_PER_TIB), usdPerGib: '0.004' },
      { upToGib: String(1000 * GIB_PER_TIB), usdPerGib: '0.002' },
      { upToGib: null, usdPerGib: '0.001' },
    ],
    clusterUsdPerMinute: { dev: '0', standard: '0.0023', 'low-latency': '0.0069' },
    dev: { maxWrittenMibPerSecond: 10, maxPartitions: 1000 },
    signUpCreditUsd: '400',
  },
];

/**
 * The version in effect on a UTC day (`YYYY-MM-DD`): the newest that had begun, or the first one for earlier days.
 * @param books oldest first
 */
export function priceBookOn(day: string, books: readonly PriceBook[] = PRICE_BOOKS): PriceBook {
  const begun = books.filter((book) => book.from <= day).at(-1) ?? books[0];
  if (begun === undefined) {
    throw new Error('there is no price book');
  }
  return begun;
}

/** The version that an invoice names, or undefined. */
export function priceBookById(id: string): PriceBook | undefined {
  return PRICE_BOOKS.find((book) => book.id === id);
}

export interface TieredPart {
  readonly quantity: Decimal;
  readonly usdPerUnit: Decimal;
  readonly amount: Usd;
}

/** Prices each part of an amount at its tier. Exact, not rounded. */
export function graduate<U extends string>(
  amount: Quantity<U>,
  tiers: readonly { readonly upTo: Decimal | null; readonly usd: UsdPer<U> }[],
): readonly TieredPart[] {
  return splitOverTiers<Decimal, (typeof tiers)[number]>(tiers, ZERO, amount, (left, right) => left.lt(right)).map(
    ({ tier, from, to }) => {
      const part = quantity<U>(to.minus(from));
      return { quantity: part, usdPerUnit: tier.usd, amount: amountOf(part, tier.usd) };
    },
  );
}

/**
 * The price of an organization's writes in a month, step by step. `writtenGib` is exact and counts uncompressed GiB (2^30 bytes) over all
 * its clusters. Not rounded: round once, on the invoice line.
 */
export function rateWrites(book: PriceBook, writtenGib: Quantity<'GiB'>): readonly TieredPart[] {
  return graduate(
    writtenGib,
    book.writes.map(({ upToGib, usdPerGib }) => ({
      upTo: upToGib === null ? null : decimal(upToGib),
      usd: usdPer(usdPerGib),
    })),
  );
}

/** The price of cluster-minutes of one kind. Not rounded. */
export function rateClusterMinutes(book: PriceBook, kind: ClusterKind, minutes: Quantity<'minute'>): Usd {
  return amountOf(minutes, usdPer(book.clusterUsdPerMinute[kind]));
}

/** The sum of step prices. */
export function totalOf(parts: readonly TieredPart[]): Usd {
  return sumUsd(parts.map((part) => part.amount));
}
