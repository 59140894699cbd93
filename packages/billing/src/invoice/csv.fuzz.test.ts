// Cells of exported files: whatever a customer named a cluster, a reader of CSV gets it back, and a spreadsheet runs nothing.
import { hostileText, runFuzz } from '@penstock/testing/fuzz';
import { csvRow } from '@penstock/units';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** A reader by RFC 4180, written from the RFC and not from the writer. */
function readRow(row: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < row.length) {
    let cell = '';
    if (row[at] === '"') {
      for (at += 1; row[at] !== '"' || row[at + 1] === '"'; at += row[at] === '"' ? 2 : 1) {
        if (at >= row.length) {
          throw new Error('The quote never ends.');
        }
        cell += row[at];
      }
      at += 1;
    } else {
      for (; at < row.length && row[at] !== ',' && !row.startsWith('\r\n', at); at += 1) {
        cell += row[at];
      }
    }
    cells.push(cell);
    if (row.startsWith('\r\n', at)) {
      expect(at + 2).toBe(row.length);
      return cells;
    }
    expect(row[at]).toBe(',');
    at += 1;
  }
  throw new Error('The row never ends.');
}

test('a row of CSV is read as it was written', async () => {
  const parts = fc.array(fc.constantFrom('=', '+', '-', '@', '"', ',', '\r', '\n', '\t', ' ', '1', '.', 'a'), {
    maxLength: 8,
  });
  const cell = fc.oneof(
    hostileText(100),
    parts.map((texts) => texts.join('')),
  );
  const property = fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
    for (const [index, read] of readRow(csvRow(cells)).entries()) {
      const written = cells[index] ?? '';
      expect([written, `'${written}`]).toContain(read);
      expect(read).not.toMatch(/^[=+@\t\r]/);
      expect(read.startsWith('-') && Number.isNaN(Number(read))).toBe(false);
    }
  });
  await runFuzz('files', 'csv', 1_000, property);
});
