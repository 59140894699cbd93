// Invoices for tests: one with every kind of line, one with nothing to pay, one with many clusters, and a credit note.
import { PRICE_BOOKS, type PriceBook, sumUsd, usd, ZERO_USD } from '@penstock/pricing';
import { HOUR_MS } from '@penstock/units';
import type { UsageHourReading } from '../../rating/usage-hour-reading.ts';
import { draftOf } from '../draft-of.ts';
import type { InvoiceDocument } from '../invoice-document.ts';

export const GIB = 2n ** 30n;

const parties = {
  seller: {
    name: 'Penstock Example GmbH',
    address: ['1 Sluice Street', '10115 Berlin', 'Germany'],
    email: 'billing@penstock.example',
    taxId: 'DE123456789',
  },
  buyer: {
    name: 'Łódzkie Młyny Sp. z o.o.',
    address: ['ul. Piotrkowska 1', '90-001 Łódź', 'PL'],
    email: 'ksiegowosc@mlyny.example',
    taxId: 'PL1234567890',
  },
};

export function reading(clusterId: string, hour: string, usage: Partial<UsageHourReading>): UsageHourReading {
  return {
    clusterId,
    hourMs: Date.parse(hour),
    uncompressedBytes: 0n,
    clusterMinutes: 0,
    devMinutes: 0,
    lowLatencyMinutes: 0,
    ...usage,
  };
}

/** The prices renamed from the 16th on, for a month with two price books. */
const books: readonly PriceBook[] = [
  ...PRICE_BOOKS,
  ...PRICE_BOOKS.slice(-1).map((book) => ({
    ...book,
    id: '2026-11-16',
    from: '2026-11-16',
    clusterUsdPerMinute: { ...book.clusterUsdPerMinute, standard: '0.0025' },
  })),
];

function invoiceFor(
  hours: UsageHourReading[],
  names: [string, string][],
  facts: { number: string; creditBalanceUsd: string },
  priceBooks = books,
): InvoiceDocument {
  const draft = draftOf({
    hours,
    clusterNames: new Map(names),
    books: priceBooks,
    month: '2026-11',
    corrections: [],
    creditBalanceUsd: usd(facts.creditBalanceUsd),
  });
  const isPaid = draft.totalUsd.isZero();
  return {
    kind: 'invoice',
    id: '01a1fd75-05ad-70d3-be6b-700718a64c38',
    number: facts.number,
    correctsNumber: null,
    reason: null,
    seal: '0123456789abcdef'.repeat(4),
    ...parties,
    organizationId: '01a1fd75-05ad-70d3-be6b-700718a64c00',
    periodStart: new Date('2026-11-01T00:00:00Z'),
    periodEnd: new Date('2026-12-01T00:00:00Z'),
    currency: 'USD',
    issuedAt: new Date('2026-12-02T00:07:00Z'),
    dueAt: new Date('2027-01-01T00:07:00Z'),
    paidAt: isPaid ? new Date('2026-12-02T00:07:00Z') : null,
    status: isPaid ? 'paid' : 'open',
    collection: 'transfer',
    transferDetails: ['Bank: Example Bank', 'IBAN: DE00 0000 0000 0000 0000 00', 'BIC: EXAMPLEXXX'],
    lines: draft.lines,
    subtotalUsd: draft.subtotalUsd,
    creditUsd: draft.creditUsd,
    totalUsd: draft.totalUsd,
    paidUsd: ZERO_USD,
    refundedUsd: ZERO_USD,
    disputedUsd: ZERO_USD,
    openUsd: draft.totalUsd,
  };
}

/** Three tiers, all modes, two price books, and credits that run out in the middle. */
export function fullInvoice(): InvoiceDocument {
  const [orders, clicks, tests] = ['c1', 'c2', 'c3'].map((id) => `01a1fd75-0000-7000-8000-0000000000${id}`);
  const month = Array.from({ length: 30 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`);
  return invoiceFor(
    month.flatMap((day) => [
      reading(orders ?? '', `${day}T08:00:00Z`, { uncompressedBytes: 4_000n * GIB + 123_456_789n, clusterMinutes: 60 }),
      reading(clicks ?? '', `${day}T08:00:00Z`, {
        uncompressedBytes: 300n * GIB + 1n,
        clusterMinutes: 60,
        lowLatencyMinutes: 45,
      }),
      reading(tests ?? '', `${day}T09:00:00Z`, { uncompressedBytes: 5n * GIB, clusterMinutes: 60, devMinutes: 60 }),
    ]),
    [
      [orders ?? '', 'orders'],
      [clicks ?? '', 'clicks Ελλάδα'],
      [tests ?? '', 'integration tests'],
    ],
    { number: 'PS-2026-000042', creditBalanceUsd: '400' },
  );
}

/** Fully covered by credits. */
export function zeroInvoice(): InvoiceDocument {
  return invoiceFor(
    [reading('01a1fd75-0000-7000-8000-0000000000c1', '2026-11-03T00:00:00Z', { clusterMinutes: 60 })],
    [['01a1fd75-0000-7000-8000-0000000000c1', 'orders']],
    { number: 'PS-2026-000043', creditBalanceUsd: '388.41' },
    PRICE_BOOKS,
  );
}

/** Long enough for several pages. */
export function longInvoice(clusters = 40): InvoiceDocument {
  const ids = Array.from(
    { length: clusters },
    (_, index) => `01a1fd75-0000-7000-8000-${String(index).padStart(12, '0')}`,
  );
  return invoiceFor(
    ids.map((id, index) =>
      reading(id, new Date(Date.parse('2026-11-01T00:00:00Z') + index * HOUR_MS).toISOString(), {
        uncompressedBytes: BigInt(index + 3) * 7n * GIB,
        clusterMinutes: 55,
      }),
    ),
    ids.map((id, index) => [
      id,
      `cluster ${index} with a name as long as the forms of the product let people give it`.slice(0, 64),
    ]),
    { number: 'PS-2026-000044', creditBalanceUsd: '0' },
    PRICE_BOOKS,
  );
}

export function creditNote(): InvoiceDocument {
  const amountUsd = usd('-12.34');
  return {
    ...zeroInvoice(),
    kind: 'credit_note',
    number: 'CN-2026-000007',
    correctsNumber: 'PS-2026-000042',
    reason: 'Writes were refused for two hours on 12 November.',
    status: 'issued',
    paidAt: null,
    lines: [
      {
        position: 1,
        product: 'correction',
        clusterId: null,
        clusterName: null,
        mode: null,
        tier: null,
        description: 'Correction of invoice PS-2026-000042: Writes were refused for two hours on 12 November.',
        quantity: null,
        unit: null,
        unitPriceUsd: null,
        amountUsd,
        priceBookId: null,
        firstHour: null,
        lastHour: null,
      },
    ],
    subtotalUsd: amountUsd,
    creditUsd: ZERO_USD,
    totalUsd: amountUsd,
    openUsd: ZERO_USD,
  };
}

/** The sum of a document's lines. */
export function sumOfLines(document: InvoiceDocument): string {
  return sumUsd(document.lines.map(({ amountUsd }) => amountUsd)).toFixed(2);
}
