// Cells of exported files: whatever a customer named a cluster, a reader of CSV gets it back, and a spreadsheet runs nothing.
import { hostileText, readCsv, runFuzz } from '@penstock/testing/fuzz';
import { csvRow } from '@penstock/units';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test('a row of CSV is read as it was written', async () => {
  const parts = fc.array(fc.constantFrom('=', '+', '-', '@', '"', ',', '\r', '\n', '\t', ' ', '1', '.', 'a'), {
    maxLength: 8,
  });
  const cell = fc.oneof(
    hostileText(100),
    parts.map((texts) => texts.join('')),
  );
  const property = fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
    expect(readCsv(csvRow(cells)).map((row) => row.length)).toEqual([cells.length]);
    for (const [index, read] of (readCsv(csvRow(cells))[0] ?? []).entries()) {
      const written = cells[index] ?? '';
      expect([written, `'${written}`]).toContain(read);
      expect(read).not.toMatch(/^[=+@\t\r]/);
      expect(read.startsWith('-') && Number.isNaN(Number(read))).toBe(false);
    }
  });
  await runFuzz('files', 'csv', 1_000, property);
});
