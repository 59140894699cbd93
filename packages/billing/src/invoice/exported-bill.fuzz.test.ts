// A bill recomputed from its exported CSV, with integers only, is the bill; the JSON says the same.
import { usd } from '@penstock/pricing';
import { hostileText, readCsvRecords, runFuzz } from '@penstock/testing/fuzz';
import { HOUR_MS } from '@penstock/units';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingMonth } from '../rating/billing-month.ts';
import { type RandomMonth, randomMonth } from '../rating/testing/arbitrary-months.ts';
import type { Correction } from './corrections-of.ts';
import { type Draft, draftOf } from './draft-of.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { renderInvoiceCsv, renderInvoiceJson } from './render-text.ts';
import { zeroInvoice } from './testing/documents.ts';
import { asWritten, auditedCents, centsOf, type Exported, exactBytes } from './testing/exported-lines.ts';

const cents = fc.integer({ min: -100_000, max: 100_000 });
const corrections: fc.Arbitrary<Correction[]> = fc.array(
  fc
    .record({
      month: fc.constantFrom('2026-09', '2026-10'),
      invoiceNumber: hostileText(20),
      clusterId: fc.constantFrom('a', 'b'),
      clusterName: hostileText(40),
      amount: cents,
      hour: fc.nat(700),
    })
    .map(({ amount, hour, month, ...rest }) => {
      const firstHourMs = billingMonth(month).startMs + hour * HOUR_MS;
      return { ...rest, month, amountUsd: usd((amount / 100).toFixed(2)), firstHourMs, lastHourMs: firstHourMs };
    }),
  { maxLength: 3 },
);
const names = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), hostileText(60));
const held = fc.array(
  fc.record({
    clusterId: fc.constantFrom('a', 'b'),
    bytes: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    hours: fc.integer({ min: 1, max: 700 }),
    firstHourMs: fc.constant(billingMonth('2026-11').startMs),
    lastHourMs: fc.constant(billingMonth('2026-11').startMs),
  }),
  { maxLength: 2 },
);

function documentOf({ month }: RandomMonth, draft: Draft, number: string | null): InvoiceDocument {
  const { startMs, endMs } = billingMonth(month);
  return {
    ...zeroInvoice(),
    number,
    periodStart: new Date(startMs),
    periodEnd: new Date(endMs),
    lines: draft.lines,
    subtotalUsd: draft.subtotalUsd,
    creditUsd: draft.creditUsd,
    totalUsd: draft.totalUsd,
  };
}

test('a bill recomputed from its exported CSV is the bill', async () => {
  const inputs = fc.record({
    month: randomMonth,
    names,
    corrections,
    held,
    credit: fc.integer({ min: 0, max: 2_000_000 }),
    number: fc.option(hostileText(30)),
  });
  const property = fc.property(inputs, ({ month, number, credit, ...input }) => {
    const draft = draftOf({
      ...month,
      ...input,
      clusterNames: new Map(Object.entries(input.names)),
      creditBalanceUsd: usd((credit / 100).toFixed(2)),
    });
    const document = documentOf(month, draft, number);
    const rows = readCsvRecords(renderInvoiceCsv(document)) as unknown as Exported[];
    expect(rows.length).toBe(draft.lines.length);

    let totalCents = 0n;
    let creditCents = 0n;
    for (const [index, row] of rows.entries()) {
      const line = draft.lines[index];
      expect(row.line).toBe(String(index + 1));
      expect(row.invoice).toBe(asWritten(number ?? 'draft'));
      expect(row.cluster_name).toBe(asWritten(line?.clusterName ?? ''));
      expect(row.description).toBe(asWritten(line?.description ?? ''));
      if (row.unit === 'GiB') {
        expect(exactBytes(row.quantity)).toBe(BigInt(row.quantity_bytes));
      }
      if (row.product === 'writes' || row.product === 'cluster_minutes') {
        expect(centsOf(row.amount_usd)).toBe(auditedCents(row));
      }
      totalCents += centsOf(row.amount_usd);
      creditCents += row.product === 'credit' ? centsOf(row.amount_usd) : 0n;
    }
    expect(totalCents).toBe(centsOf(draft.totalUsd.toFixed(2)));
    expect(creditCents).toBe(centsOf(draft.creditUsd.toFixed(2)));

    const json = JSON.parse(renderInvoiceJson(document)) as { totalUsd: string; lines: Record<string, unknown>[] };
    expect(json.totalUsd).toBe(draft.totalUsd.toFixed(2));
    expect(
      json.lines.map(({ quantity, quantityBytes, unitPriceUsd, amountUsd, clusterName }) => [
        quantity ?? '',
        quantityBytes ?? '',
        unitPriceUsd ?? '',
        amountUsd,
        asWritten(typeof clusterName === 'string' ? clusterName : ''),
      ]),
    ).toEqual(
      rows.map((row) => [row.quantity, row.quantity_bytes, row.unit_price_usd, row.amount_usd, row.cluster_name]),
    );
  });
  await runFuzz('billing', 'exported-bill', 300, property);
});
