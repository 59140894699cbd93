// Invoices in all formats. The golden files contain the invoices in a form that people can check. Change them only if
// the bill should change.
import { formatUsdCents, usd } from '@penstock/pricing';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { formatLinePrice, formatQuantity } from './figures.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { paymentNotes, sealNotes, usageNotes } from './notes.ts';
import { writableText } from './pdf-fonts.ts';
import { renderInvoicePdf } from './render-pdf.ts';
import { renderInvoiceCsv, renderInvoiceJson } from './render-text.ts';
import { creditNote, fullInvoice, longInvoice, sumOfLines, zeroInvoice } from './testing/documents.ts';

const documents: [string, () => InvoiceDocument][] = [
  ['full', fullInvoice],
  ['zero', zeroInvoice],
  ['credit-note', creditNote],
];

async function readPages(document: InvoiceDocument): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(await renderInvoicePdf(document)));
  return text.map((page) => page.replaceAll(/\s+/g, ' '));
}

const read = new Map<() => InvoiceDocument, Promise<string[]>>();

/** The text of each page, with whitespace collapsed. Each document is rendered once. */
function pagesOf(make: () => InvoiceDocument): Promise<string[]> {
  const pages = read.get(make) ?? readPages(make());
  read.set(make, pages);
  return pages;
}

test.each(documents)('the %s document names no command that its reader cannot run', (_, make) => {
  const notes = [paymentNotes, sealNotes, usageNotes].flatMap((notesOf) => notesOf(make()));
  expect(notes.join(' ')).not.toMatch(/npm run|billing:/);
});

test('asks for a reference only if the invoice has a number', () => {
  const asked = (number: string | null) =>
    paymentNotes({ ...longInvoice(), kind: 'invoice', collection: 'transfer', status: 'open', number }).join(' ');
  expect(asked('A-1')).toContain('Use A-1 as the reference.');
  expect(asked(null)).not.toContain('reference');
});

describe('the PDF', () => {
  test.each([...documents, ['long', longInvoice] as const])(
    'shows every line and the same totals of the %s invoice',
    async (_, make) => {
      const document = make();
      const text = (await pagesOf(make)).join(' ');
      for (const line of document.lines) {
        const row = [line.description, formatQuantity(line), formatLinePrice(line), formatUsdCents(line.amountUsd)];
        expect(text).toContain(row.filter((part) => part !== '').join(' '));
      }
      expect(text).toContain(`Total ${formatUsdCents(document.totalUsd)}`);
      expect(text).toContain(`Subtotal ${formatUsdCents(document.subtotalUsd)}`);
      expect(sumOfLines(document)).toBe(document.totalUsd.toFixed(2));
      expect(text).toContain(document.number ?? 'no number');
      for (const party of [document.seller, document.buyer]) {
        for (const part of [party.name, ...party.address, `Tax ID: ${party.taxId}`]) {
          expect(text).toContain(part);
        }
      }
    },
  );

  test('repeats the table header on numbered pages', async () => {
    const pages = await pagesOf(longInvoice);
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    });
    for (const page of pages.slice(0, -1)) {
      expect(page).toContain('Description Quantity Unit price Amount (USD)');
    }
  });

  test('says when and how to pay, or that there is nothing to pay', async () => {
    const [open = ''] = await pagesOf(fullInvoice);
    expect(open).toContain('Due 2027-01-01');
    const text = (await pagesOf(fullInvoice)).join(' ');
    expect(text).toContain('Please transfer $');
    expect(text).toContain('by 2027-01-01. Use PS-2026-000042 as the reference.');
    expect(text).toContain('IBAN: DE00 0000 0000 0000 0000 00');
    expect((await pagesOf(zeroInvoice)).join(' ')).toContain('Paid with credits. No payment is due.');
    const card = (await pagesOf(() => ({ ...fullInvoice(), collection: 'card', transferDetails: [] }))).join(' ');
    expect(card).toContain('Charged automatically to your payment method.');
  });

  test('shows its seal and refunds and excludes disputed money', async () => {
    const document = fullInvoice();
    const lost = { ...document, status: 'uncollectible' as const, disputedUsd: usd('1.25'), refundedUsd: usd('3.50') };
    const text = (await readPages(lost)).join(' ');
    expect(text).toContain(`Seal ${document.seal}`);
    expect(text).toContain('Refunded $3.50');
    expect(text).toContain('Lost in a dispute $1.25');
    expect(text).toContain('We won’t collect this invoice again.');
    expect((await readPages({ ...document, seal: null })).join(' ')).not.toContain('Seal');
  });

  test('has the same bytes each time', async () => {
    expect(await renderInvoicePdf(fullInvoice())).toEqual(await renderInvoicePdf(fullInvoice()));
  });

  test('replaces characters that the typeface lacks', () => {
    expect(writableText('Łódź, Ελλάδα, Київ: 10 € · “ok”')).toBe('Łódź, Ελλάδα, Київ: 10 € · “ok”');
    expect(writableText('日本')).toBe('U+65E5U+672C');
  });
});

describe.each(documents)('the %s invoice as text', (name, make) => {
  test('matches its golden files', async () => {
    await expect(renderInvoiceCsv(make())).toMatchFileSnapshot(`golden/${name}.csv`);
    await expect(renderInvoiceJson(make())).toMatchFileSnapshot(`golden/${name}.json.golden`);
  });

  test('sums to its total', () => {
    const document = make();
    expect(sumOfLines(document)).toBe(document.totalUsd.toFixed(2));
    expect(JSON.parse(renderInvoiceJson(document))).toMatchObject({ totalUsd: document.totalUsd.toFixed(2) });
  });
});

test('a cluster name cannot inject a formula into a spreadsheet', () => {
  const [line] = zeroInvoice().lines;
  if (line === undefined) {
    throw new Error('The invoice has a line.');
  }
  const document = { ...zeroInvoice(), lines: [{ ...line, clusterName: '=HYPERLINK("x")', description: '-2+3' }] };
  const csv = renderInvoiceCsv(document);
  expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
  expect(csv).toContain(`,'-2+3,`);
});
