// Compares a recomputed bill with the ledger and the invoice. Pure.
import { sumUsd, type Usd } from '@penstock/pricing';
import type { LineKey, RatedLine } from '../rating/rate-month.ts';
import type { UsageHourReading } from '../rating/usage-hour-reading.ts';
import type { HourDetail, ReplayedHour } from './replayed-hours.ts';

/** An hour as stored in the ledger. */
export type LedgerHour = UsageHourReading & HourDetail;

export interface HourDifference {
  clusterId: string;
  hourMs: number;
  figure: string;
  /** Null if the ledger has no such hour. */
  ledger: string | null;
  /** Null if the journal yields no such hour. */
  recomputed: string | null;
}

type Figures = Partial<Record<keyof LedgerHour, bigint | number | string>>;

function figuresOf(hour: UsageHourReading, detail: HourDetail | undefined): Figures {
  const { clusterId: _, hourMs: __, ...billed } = hour;
  return { ...billed, ...detail };
}

/** Every figure in which the ledger and the replay differ, ordered by time. */
export function compareHours(ledger: readonly LedgerHour[], replayed: readonly ReplayedHour[]): HourDifference[] {
  const keyOf = ({ clusterId, hourMs }: UsageHourReading): string => `${hourMs} ${clusterId}`;
  const ledgerByKey = new Map(ledger.map((hour) => [keyOf(hour), hour]));
  const replayedByKey = new Map(replayed.map((hour) => [keyOf(hour), hour]));
  const differences: HourDifference[] = [];
  for (const again of replayed) {
    if (!ledgerByKey.has(keyOf(again))) {
      const { clusterId, hourMs, uncompressedBytes } = again;
      const recomputed = uncompressedBytes.toString();
      differences.push({ clusterId, hourMs, figure: 'uncompressedBytes', ledger: null, recomputed });
    }
  }
  for (const [key, kept] of ledgerByKey) {
    const { clusterId, hourMs } = kept;
    const again = replayedByKey.get(key);
    if (again === undefined) {
      const ledgerBytes = kept.uncompressedBytes.toString();
      differences.push({ clusterId, hourMs, figure: 'uncompressedBytes', ledger: ledgerBytes, recomputed: null });
      continue;
    }
    const { detail, ...billed } = again;
    for (const [figure, value] of Object.entries(figuresOf(billed, detail))) {
      const inLedger = kept[figure as keyof LedgerHour];
      if (inLedger !== value) {
        differences.push({ clusterId, hourMs, figure, ledger: String(inLedger), recomputed: String(value) });
      }
    }
  }
  return differences.sort((left, right) => left.hourMs - right.hourMs || (left.clusterId < right.clusterId ? -1 : 1));
}

/** A usage line on the invoice of the month. */
export interface InvoicedLine extends LineKey {
  quantity: bigint;
  amountUsd: Usd;
}

/** The amounts billed for a cluster and month. */
export interface Invoiced {
  number: string;
  lines: readonly InvoicedLine[];
  /** Corrections of this month on later invoices, by cluster. */
  correctionsUsd: ReadonlyMap<string, Usd>;
  /** Whether the invoice no longer matches its seal. */
  isSealBroken: boolean;
  /** The heads of the journals, as recorded by the invoice. */
  meterHeads: readonly MeterHead[];
}

/** The hash of a cluster's journal after an entry, as the invoice recorded it. */
export interface MeterHead {
  clusterId: string;
  seq: bigint;
  hash: Uint8Array;
}

export interface LineDifference {
  clusterId: string;
  line: string;
  /** Dollars, or `quantity at dollars`; null if there is no such line. */
  invoiced: string | null;
  recomputed: string | null;
}

/**
 * Lines whose quantity or cents differ. For a cluster with corrections on later invoices, the sum of all of them must
 * match instead.
 */
export function compareLines(invoiced: Invoiced, rated: readonly RatedLine[]): LineDifference[] {
  const shown = rated.filter(({ amountUsd }) => !amountUsd.isZero());
  const keyOf = (line: LineKey): string =>
    `${line.clusterId} ${line.product} ${line.mode ?? `tier ${line.tier}`} of price book ${line.priceBookId}`;
  const textOf = (line: Pick<InvoicedLine, 'quantity' | 'amountUsd'> | undefined): string | null =>
    line === undefined ? null : `${line.quantity} at $${line.amountUsd.toFixed(2)}`;
  const before = new Map(invoiced.lines.map((line) => [keyOf(line), line]));
  const again = new Map(shown.map((line) => [keyOf(line), line]));
  const differences: LineDifference[] = [];
  for (const [key, { clusterId }] of new Map<string, LineKey>([...before, ...again])) {
    const [then, now] = [textOf(before.get(key)), textOf(again.get(key))];
    if (then === now || invoiced.correctionsUsd.has(clusterId)) {
      continue;
    }
    differences.push({ clusterId, line: key.slice(clusterId.length + 1), invoiced: then, recomputed: now });
  }
  for (const [clusterId, correctionUsd] of invoiced.correctionsUsd) {
    const sumOf = (lines: readonly { clusterId: string; amountUsd: Usd }[]): Usd =>
      sumUsd(lines.filter((line) => line.clusterId === clusterId).map(({ amountUsd }) => amountUsd));
    const [then, now] = [sumOf(invoiced.lines).plus(correctionUsd), sumOf(shown)];
    if (then.eq(now)) {
      continue;
    }
    const [invoicedText, recomputed] = [then, now].map((amount) => `$${amount.toFixed(2)}`) as [string, string];
    differences.push({ clusterId, line: 'all lines and corrections', invoiced: invoicedText, recomputed });
  }
  return differences;
}
