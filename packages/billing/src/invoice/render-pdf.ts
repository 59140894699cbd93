// Renders an invoice as an A4 PDF. The same document gives the same bytes: its only date is the day of issue.
import { formatUsdCents } from '@penstock/pricing';
import { DAY_MS, formatUtcDate } from '@penstock/units';
import PDFDocument from 'pdfkit';
import { formatLinePrice, formatQuantity } from './figures.ts';
import type { DocumentLine, InvoiceDocument, Party } from './invoice-document.ts';
import { paymentNotes, sealNotes, usageNotes } from './notes.ts';
import { loadFonts, writableText } from './pdf-fonts.ts';

/** Page dimensions in points (1/72 inch). */
const page = { width: 595.28, height: 841.89, left: 48, right: 48, top: 48, bottom: 64 };
const contentWidth = page.width - page.left - page.right;
const lowest = page.height - page.bottom;
const columns = { quantity: 242, price: 344, amount: 420 };
const INK = '#14181f';
const MUTED = '#5b6472';
const RULE = '#d5dae1';
const titles: Record<InvoiceDocument['kind'], string> = {
  invoice: 'Invoice',
  credit_note: 'Credit note',
  draft: 'Draft invoice',
};

type Pdf = InstanceType<typeof PDFDocument>;

/** Renders the document as a PDF. */
export async function renderInvoicePdf(document: InvoiceDocument): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    // Disables the standard fonts, which would be read from files that a bundle lacks.
    font: null as unknown as string,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: `${titles[document.kind]} ${document.number ?? formatUtcDate(document.periodStart.getTime()).slice(0, 7)}`,
      Author: document.seller.name,
      Creator: 'Penstock',
      Producer: 'Penstock',
      CreationDate: document.issuedAt ?? document.periodStart,
    },
  });
  const chunks: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const { regular, semiBold } = loadFonts();
  pdf.registerFont('regular', regular);
  pdf.registerFont('semi-bold', semiBold);
  new Sheet(pdf, document).draw();
  pdf.end();
  await done;
  return new Uint8Array(Buffer.concat(chunks));
}

class Sheet {
  readonly #pdf: Pdf;
  readonly #document: InvoiceDocument;
  #y = page.top;

  constructor(pdf: Pdf, document: InvoiceDocument) {
    this.#pdf = pdf;
    this.#document = document;
  }

  draw(): void {
    this.#drawHead();
    this.#drawParties();
    this.#drawFacts();
    this.#drawLines();
    this.#drawTotals();
    this.#drawNotes();
    this.#drawFeet();
  }

  /** Writes text and returns its height. */
  #write(
    text: string,
    x: number,
    y: number,
    width: number,
    style: { size?: number; bold?: boolean; color?: string; align?: 'left' | 'right' } = {},
  ): number {
    const { size = 9, bold = false, color = INK, align = 'left' } = style;
    // Tabular digits where figures are in a column. Elsewhere the library may reuse the words that it has laid out.
    const options = { width, align, lineGap: 1.5, ...(align === 'right' ? { features: ['tnum' as const] } : {}) };
    const shown = writableText(text);
    this.#pdf
      .font(bold ? 'semi-bold' : 'regular')
      .fontSize(size)
      .fillColor(color);
    const height = this.#pdf.heightOfString(shown, options);
    this.#pdf.text(shown, page.left + x, y, options);
    return height;
  }

  #line(y: number, from = 0, color = RULE): void {
    this.#pdf
      .moveTo(page.left + from, y)
      .lineTo(page.left + contentWidth, y)
      .lineWidth(0.75)
      .strokeColor(color)
      .stroke();
  }

  /** Starts a new page unless there is this much room. @returns whether it did */
  #makeRoom(height: number): boolean {
    if (this.#y + height <= lowest) {
      return false;
    }
    this.#pdf.addPage();
    this.#y = page.top;
    return true;
  }

  #drawHead(): void {
    const { kind, number, seller } = this.#document;
    this.#write(seller.name, 0, this.#y + 3, 280, { size: 13, bold: true });
    this.#write(titles[kind], 280, this.#y, contentWidth - 280, { size: 20, bold: true, align: 'right' });
    if (number !== null) {
      this.#write(number, 280, this.#y + 27, contentWidth - 280, { size: 10, color: MUTED, align: 'right' });
    }
    this.#y += 58;
  }

  #drawParties(): void {
    const { seller, buyer } = this.#document;
    const half = contentWidth / 2 - 12;
    const heights = [
      this.#drawParty('From', seller, 0, half),
      this.#drawParty('Billed to', buyer, contentWidth / 2 + 12, half),
    ];
    this.#y += Math.max(...heights) + 18;
  }

  #drawParty(label: string, party: Party, x: number, width: number): number {
    let y = this.#y;
    y += this.#write(label, x, y, width, { size: 8, color: MUTED }) + 2;
    y += this.#write(party.name, x, y, width, { size: 10, bold: true }) + 1;
    for (const line of party.address) {
      y += this.#write(line, x, y, width);
    }
    if (party.taxId !== null) {
      y += this.#write(`Tax ID: ${party.taxId}`, x, y, width);
    }
    if (party.email !== null) {
      y += this.#write(party.email, x, y, width, { color: MUTED });
    }
    return y - this.#y;
  }

  #drawFacts(): void {
    const document = this.#document;
    const day = (date: Date): string => formatUtcDate(date.getTime());
    const lastDay = new Date(document.periodEnd.getTime() - DAY_MS);
    const facts: [string, string][] = [['Period (UTC)', `${day(document.periodStart)} to ${day(lastDay)}`]];
    if (document.issuedAt !== null) {
      facts.unshift(['Issued', day(document.issuedAt)]);
    }
    if (document.kind === 'invoice' && document.dueAt !== null) {
      facts.push(['Due', day(document.dueAt)]);
    }
    if (document.correctsNumber !== null) {
      facts.push(['Corrects', document.correctsNumber]);
    }
    facts.push(
      document.kind === 'credit_note'
        ? ['Credited', formatUsdCents(document.totalUsd.negated())]
        : ['Amount due', formatUsdCents(document.openUsd)],
    );
    this.#line(this.#y);
    this.#y += 9;
    // The period is almost as wide as two facts.
    const width = contentWidth / (facts.length + 0.8);
    let x = 0;
    for (const [label, value] of facts) {
      this.#write(label, x, this.#y, width, { size: 8, color: MUTED });
      this.#write(value, x, this.#y + 13, width * 1.8, {
        size: 10,
        bold: label === 'Amount due' || label === 'Credited',
      });
      x += label === 'Period (UTC)' ? width * 1.8 : width;
    }
    this.#y += 36;
    this.#line(this.#y);
    this.#y += 20;
  }

  #drawTableHead(): void {
    const style = { size: 8, color: MUTED };
    this.#write('Description', 0, this.#y, columns.quantity, style);
    this.#write('Quantity', columns.quantity, this.#y, columns.price - columns.quantity - 12, {
      ...style,
      align: 'right',
    });
    this.#write('Unit price', columns.price, this.#y, columns.amount - columns.price, { ...style, align: 'right' });
    this.#write('Amount (USD)', columns.amount, this.#y, contentWidth - columns.amount, { ...style, align: 'right' });
    this.#y += 14;
    this.#line(this.#y, 0, INK);
    this.#y += 6;
  }

  #drawLines(): void {
    this.#makeRoom(60);
    this.#drawTableHead();
    if (this.#document.lines.length === 0) {
      this.#y += this.#write('No usage of a cent or more.', 0, this.#y, contentWidth, { color: MUTED }) + 8;
      this.#line(this.#y);
    }
    for (const line of this.#document.lines) {
      this.#drawLine(line);
    }
    this.#y += 10;
  }

  #drawLine(line: DocumentLine): void {
    const width = columns.quantity - 12;
    this.#pdf.font('regular').fontSize(9);
    const height = this.#pdf.heightOfString(writableText(line.description), { width, lineGap: 1.5 });
    if (this.#makeRoom(height + 12)) {
      this.#drawTableHead();
    }
    this.#write(line.description, 0, this.#y, width);
    const right = { align: 'right' as const };
    this.#write(formatQuantity(line), columns.quantity, this.#y, columns.price - columns.quantity - 12, right);
    this.#write(formatLinePrice(line), columns.price, this.#y, columns.amount - columns.price, right);
    this.#write(formatUsdCents(line.amountUsd), columns.amount, this.#y, contentWidth - columns.amount, right);
    this.#y += height + 5;
    this.#line(this.#y);
    this.#y += 6;
  }

  #drawTotals(): void {
    const document = this.#document;
    const rows: [string, string, boolean][] = [['Subtotal', formatUsdCents(document.subtotalUsd), false]];
    if (!document.creditUsd.isZero()) {
      rows.push(['Credits', formatUsdCents(document.creditUsd), false]);
    }
    rows.push(['Total', formatUsdCents(document.totalUsd), true]);
    if (document.kind === 'invoice' && !document.paidUsd.isZero()) {
      rows.push(['Paid', formatUsdCents(document.paidUsd.negated()), false]);
    }
    const credited = document.totalUsd.minus(document.paidUsd).minus(document.openUsd);
    if (document.kind === 'invoice' && credited.gt(0)) {
      rows.push(['Credit notes', formatUsdCents(credited.negated()), false]);
    }
    if (!document.refundedUsd.isZero()) {
      rows.push(['Refunded', formatUsdCents(document.refundedUsd), false]);
    }
    if (!document.disputedUsd.isZero()) {
      rows.push([
        document.status === 'uncollectible' ? 'Lost in a dispute' : 'Disputed',
        formatUsdCents(document.disputedUsd),
        false,
      ]);
    }
    if (document.kind === 'invoice') {
      rows.push(['Amount due', formatUsdCents(document.openUsd), true]);
    }
    this.#makeRoom(rows.length * 18 + 10);
    for (const [label, amount, bold] of rows) {
      this.#write(label, columns.price - 60, this.#y, 110, { bold, size: bold ? 10 : 9 });
      this.#write(amount, columns.price + 20, this.#y, contentWidth - columns.price - 20, {
        bold,
        size: bold ? 10 : 9,
        align: 'right',
      });
      this.#y += 18;
    }
    this.#y += 14;
  }

  #drawNotes(): void {
    const blocks: [string, string[]][] = [
      ['Payment', paymentNotes(this.#document)],
      ['About these figures', usageNotes(this.#document)],
      ['Seal', sealNotes(this.#document)],
    ];
    for (const [label, notes] of blocks) {
      if (notes.length === 0) {
        continue;
      }
      this.#makeRoom(48);
      this.#y += this.#write(label, 0, this.#y, contentWidth, { size: 9, bold: true }) + 3;
      for (const note of notes) {
        this.#makeRoom(30);
        this.#y += this.#write(note, 0, this.#y, contentWidth, { size: 8.5, color: MUTED }) + 3;
      }
      this.#y += 10;
    }
  }

  #drawFeet(): void {
    const { seller, number } = this.#document;
    const { count } = this.#pdf.bufferedPageRange();
    const what = [seller.name, number ?? titles[this.#document.kind], 'All amounts in US dollars'].join(' · ');
    for (let index = 0; index < count; index += 1) {
      this.#pdf.switchToPage(index);
      const y = page.height - 40;
      this.#line(y - 8);
      this.#write(what, 0, y, contentWidth - 90, { size: 8, color: MUTED });
      this.#write(`Page ${index + 1} of ${count}`, contentWidth - 90, y, 90, { size: 8, color: MUTED, align: 'right' });
    }
  }
}
