import { describe, expect, it } from 'vitest';
import { csvRow } from './csv.ts';

describe('a row of CSV', () => {
  it('separates by commas, ends with CRLF, and leaves what is missing empty', () => {
    expect(csvRow(['a', 1, 2n, null, undefined, ''])).toBe('a,1,2,,,\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
  ])('quotes %j', (text, cell) => {
    expect(csvRow([text])).toBe(`${cell}\r\n`);
  });

  it.each(['=1+1', '+1', '@x', '-2+3', '-a', '\tx'])('marks %j as text, which a spreadsheet would run', (text) => {
    expect(csvRow([text])).toBe(`'${text}\r\n`);
  });

  it.each(['-2', '-2.50', '2-3', ''])('leaves %j as it is', (text) => {
    expect(csvRow([text])).toBe(`${text}\r\n`);
  });
});
