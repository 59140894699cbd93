import { describe, expect, it } from 'vitest';
import { csvRow } from './csv.ts';

describe('a row of CSV', () => {
  it('uses commas, ends with CRLF, and leaves missing values empty', () => {
    expect(csvRow(['a', 1, 2n, null, undefined, ''])).toBe('a,1,2,,,\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
  ])('quotes %j', (text, cell) => {
    expect(csvRow([text])).toBe(`${cell}\r\n`);
  });

  it.each(['=1+1', '+1', '@x', '-2+3', '-a', '\tx'])('marks %j, which a spreadsheet would execute, as text', (text) => {
    expect(csvRow([text])).toBe(`'${text}\r\n`);
  });

  it.each(['-2', '-2.50', '2-3', ''])('leaves %j unchanged', (text) => {
    expect(csvRow([text])).toBe(`${text}\r\n`);
  });
});
