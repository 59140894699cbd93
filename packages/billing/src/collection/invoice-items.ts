// An invoice's lines as items of a Stripe invoice. Stripe takes at most 250 items per invoice, and a month of 125 virtual clusters has more lines.
import { toCents } from '../stripe/index.ts';

/** More lines than this are summed per product. Stripe's limit is 250 (https://docs.stripe.com/changelog/2016-02-22/no-more-than-250-invoice-items). */
export const MOST_ITEMS = 200;

/** A line of the invoice. The amount is in US dollars, with cents. */
export interface InvoiceItemLine {
  position: number;
  product: string;
  clusterId: string | null;
  description: string;
  amountUsd: string;
}

/** An item of Stripe's invoice. The amount is in cents. */
export interface InvoiceItem {
  position: number;
  amountCents: number;
  description: string;
}

/** The names of products on items that sum lines. Every other product is named as it is stored. */
const PRODUCT_NAMES: ReadonlyMap<string, string> = new Map([
  ['writes', 'Writes'],
  ['cluster_minutes', 'Cluster minutes'],
  ['correction', 'Corrections of earlier months'],
  ['credit', 'Credits'],
]);

/**
 * The items for Stripe, which sum to the lines' amounts exactly.
 * @param lines the lines that are charged, in order
 * @param whereLinesAre where the customer finds all lines: an address, or a sentence without one
 * @returns one item per line, or one per product if there are more than 200 lines; its position is that of its first line
 */
export function invoiceItems(lines: readonly InvoiceItemLine[], whereLinesAre: string): InvoiceItem[] {
  if (lines.length <= MOST_ITEMS) {
    return lines.map(({ position, amountUsd, description }) => ({
      position,
      amountCents: toCents(amountUsd),
      description,
    }));
  }
  return [...Map.groupBy(lines, ({ product }) => product)].map(([product, summed]) => ({
    position: Math.min(...summed.map(({ position }) => position)),
    amountCents: summed.reduce((sum, { amountUsd }) => sum + toCents(amountUsd), 0),
    description: `${PRODUCT_NAMES.get(product) ?? product}: ${extentOf(summed)}. ${whereLinesAre}`,
  }));
}

function extentOf(lines: readonly InvoiceItemLine[]): string {
  const clusters = new Set(lines.flatMap(({ clusterId }) => (clusterId === null ? [] : [clusterId]))).size;
  const count = lines.length === 1 ? 'one line' : `${lines.length} lines`;
  if (clusters === 0) {
    return count;
  }
  return `${count} of ${clusters === 1 ? 'one virtual cluster' : `${clusters} virtual clusters`}`;
}
