// Rating: turns the hours of a month into the lines of its bill. Pure: the same hours and price books always give the
// same cents.
import {
  amountOf,
  type ClusterKind,
  decimal,
  type PriceBook,
  priceBookOn,
  type Quantity,
  quantity,
  roundInvoiceLine,
  splitOverTiers,
  type Usd,
  type UsdPer,
  usdPer,
  ZERO_USD,
} from '@penstock/pricing';
import { DAY_MS, formatUtcDate } from '@penstock/units';
import { billingMonth } from './billing-month.ts';
import { minutesByMode, type UsageHourReading } from './usage-hour-reading.ts';
import { BYTES_PER_GIB, writeTiersOf } from './write-tiers.ts';

export type RatedProduct = 'writes' | 'cluster_minutes';

export interface RatingInput {
  /** In any order. A cluster's hour may be split into several readings. */
  hours: readonly UsageHourReading[];
  /** Cluster names. A missing one is replaced by the cluster's id. */
  clusterNames: ReadonlyMap<string, string>;
  /** With their dates, oldest first. */
  books: readonly PriceBook[];
  /** The UTC month, such as `2026-11`. */
  month: string;
}

/** Identifies a line of a bill. */
export interface LineKey {
  clusterId: string;
  product: RatedProduct;
  /** For cluster-minutes. Writes cost the same in each mode. */
  mode: ClusterKind | null;
  /** For writes; the first tier is 1. */
  tier: number | null;
  priceBookId: string;
}

/** One hour's contribution to one line. */
export interface RatedPart extends LineKey {
  hourMs: number;
  /** Exact: bytes of writes, or minutes. */
  quantity: bigint;
  unitPriceUsd: UsdPer<'GiB'> | UsdPer<'minute'>;
}

export interface RatedLine extends LineKey {
  clusterName: string;
  /** Exact: bytes of writes, or minutes. */
  quantity: bigint;
  /** The unit of the price: bytes are priced per GiB (2^30 bytes). */
  unit: 'GiB' | 'minute';
  unitPriceUsd: UsdPer<'GiB'> | UsdPer<'minute'>;
  /** In whole cents, rounded half up. This is the only rounding between the meter and the total. */
  amountUsd: Usd;
  /** The first and last hour that contribute to this line. */
  firstHourMs: number;
  lastHourMs: number;
}

type MinutePrices = Record<ClusterKind, UsdPer<'minute'>>;

const minutePrices = new WeakMap<PriceBook, MinutePrices>();

/** Parsed once per book, because a month has thousands of hours. */
function minutePricesOf(book: PriceBook): MinutePrices {
  const known = minutePrices.get(book);
  if (known !== undefined) {
    return known;
  }
  const { dev, standard, 'low-latency': lowLatency } = book.clusterUsdPerMinute;
  const prices: MinutePrices = { dev: usdPer(dev), standard: usdPer(standard), 'low-latency': usdPer(lowLatency) };
  minutePrices.set(book, prices);
  return prices;
}

function isLess(left: bigint, right: bigint): boolean {
  return left < right;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Rates each hour separately. Writes are pooled over the organization: in order of hour and cluster id, each byte falls
 * into the tier that the month's running total has reached. Every UTC day uses the price book of that day; the running
 * total continues.
 * @throws RangeError for an hour outside the month
 */
export function rateHours(input: Omit<RatingInput, 'clusterNames'>): RatedPart[] {
  const { startMs, endMs } = billingMonth(input.month);
  const hours = input.hours.toSorted((a, b) => a.hourMs - b.hourMs || compareText(a.clusterId, b.clusterId));
  const parts: RatedPart[] = [];
  let writtenBytes = 0n;
  let day = Number.NaN;
  let book = priceBookOn(formatUtcDate(startMs), input.books);
  for (const hour of hours) {
    const { clusterId, hourMs } = hour;
    if (hourMs < startMs || hourMs >= endMs) {
      throw new RangeError(`the hour ${hourMs} is not in ${input.month}`);
    }
    const hourDay = Math.floor(hourMs / DAY_MS);
    if (hourDay !== day) {
      day = hourDay;
      book = priceBookOn(formatUtcDate(hourMs), input.books);
    }
    const common = { clusterId, hourMs, priceBookId: book.id };
    const writtenAfter = writtenBytes + hour.uncompressedBytes;
    for (const { tier, from, to } of splitOverTiers(writeTiersOf(book), writtenBytes, writtenAfter, isLess)) {
      parts.push({
        ...common,
        product: 'writes',
        mode: null,
        tier: tier.tier,
        quantity: to - from,
        unitPriceUsd: tier.usdPerGib,
      });
    }
    writtenBytes = writtenAfter;
    for (const [mode, minutes] of minutesByMode(hour)) {
      if (minutes === 0) {
        continue;
      }
      parts.push({
        ...common,
        product: 'cluster_minutes',
        mode,
        tier: null,
        quantity: BigInt(minutes),
        unitPriceUsd: minutePricesOf(book)[mode],
      });
    }
  }
  return parts;
}

/** Exact, with 21 digits. */
const gibPerByte = decimal(1).div(decimal(BYTES_PER_GIB));

/** GiB as an exact decimal: 19 digits of a 64-bit integer and these 21 make 40, the precision of our decimals. */
export function gibOf(bytes: bigint): Quantity<'GiB'> {
  return quantity(decimal(bytes).times(gibPerByte));
}

/** The exact price of a quantity, without rounding. */
export function exactAmountOf(part: Pick<RatedPart, 'product' | 'quantity' | 'unitPriceUsd'>): Usd {
  return part.product === 'writes'
    ? amountOf(gibOf(part.quantity), part.unitPriceUsd as UsdPer<'GiB'>)
    : amountOf(quantity(part.quantity), part.unitPriceUsd as UsdPer<'minute'>);
}

/** Whether a part or a line belongs to a line. */
export function isSameLine(left: LineKey, right: LineKey): boolean {
  return (
    left.clusterId === right.clusterId &&
    left.product === right.product &&
    left.mode === right.mode &&
    left.tier === right.tier &&
    left.priceBookId === right.priceBookId
  );
}

/**
 * Rates a month: one line per cluster, product, mode, tier and price book, in the order of a bill. Includes lines whose
 * amount rounds to zero.
 * @throws RangeError for an hour outside the month
 */
export function rateMonth(input: RatingInput): RatedLine[] {
  return linesOf(rateHours(input), input.clusterNames);
}

/** Sums the parts of a month into lines. */
export function linesOf(parts: readonly RatedPart[], clusterNames: ReadonlyMap<string, string>): RatedLine[] {
  const lines = new Map<string, RatedLine>();
  for (const part of parts) {
    const key = `${part.clusterId} ${part.product} ${part.mode} ${part.tier} ${part.priceBookId}`;
    const line = lines.get(key);
    if (line !== undefined) {
      line.quantity += part.quantity;
      line.firstHourMs = Math.min(line.firstHourMs, part.hourMs);
      line.lastHourMs = Math.max(line.lastHourMs, part.hourMs);
      continue;
    }
    const { hourMs, ...rest } = part;
    lines.set(key, {
      ...rest,
      clusterName: clusterNames.get(part.clusterId) ?? part.clusterId,
      unit: part.product === 'writes' ? 'GiB' : 'minute',
      amountUsd: ZERO_USD,
      firstHourMs: hourMs,
      lastHourMs: hourMs,
    });
  }
  for (const line of lines.values()) {
    line.amountUsd = roundInvoiceLine(exactAmountOf(line));
  }
  return [...lines.values()].sort(inOrderOfABill);
}

function inOrderOfABill(left: RatedLine, right: RatedLine): number {
  return (
    compareText(left.clusterName, right.clusterName) ||
    compareText(left.clusterId, right.clusterId) ||
    // Writes before minutes.
    -compareText(left.product, right.product) ||
    (left.tier ?? 0) - (right.tier ?? 0) ||
    compareText(left.mode ?? '', right.mode ?? '') ||
    compareText(left.priceBookId, right.priceBookId)
  );
}
