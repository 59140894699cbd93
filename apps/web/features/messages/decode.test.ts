import { describe, expect, it } from 'vitest';
import { decode, detect, fromBase64, hexDump, preview, toBase64 } from './decode.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...values: number[]) => Uint8Array.from(values);

describe('guessing the format of bytes', () => {
  it.each([
    ['an object', utf8('{"a":1}'), 'json'],
    ['an array with white space around', utf8(' [1, 2]\n'), 'json'],
    ['a number, which is as well text', utf8('42'), 'text'],
    ['broken JSON', utf8('{"a":'), 'text'],
    ['text beyond ASCII', utf8('Grüße, 世界 🚀'), 'text'],
    ['nothing', bytes(), 'text'],
    ['invalid UTF-8', bytes(0xff, 0xfe, 0x41), 'hex'],
    ['a cut character', utf8('ü').subarray(0, 1), 'hex'],
    ['text with a zero byte', utf8('a\u0000b'), 'hex'],
    ['an Avro record with its schema id', bytes(0, 0, 0, 0, 7, 2, 0x61), 'hex'],
  ])('%s', (_what, content, expected) => {
    expect(detect(content)).toBe(expected);
  });
});

describe('decoding', () => {
  it('formats JSON', () => {
    expect(decode(utf8('{"a":[1]}'), 'json')).toEqual({
      decoder: 'json',
      text: '{\n  "a": [\n    1\n  ]\n}',
      fault: null,
    });
  });

  it('never rounds a number that JavaScript cannot represent', () => {
    expect(decode(utf8('{"id":9007199254740993}'), 'json').text).toBe('{"id":9007199254740993}');
  });

  it('falls back to another decoder and says so', () => {
    expect(decode(utf8('plain'), 'json')).toMatchObject({ decoder: 'text', text: 'plain' });
    expect(decode(utf8('plain'), 'json').fault).toContain('Not valid JSON');
    expect(decode(bytes(0xff), 'text')).toMatchObject({ decoder: 'hex' });
    expect(decode(bytes(0xff), 'json').fault).toContain('Not valid UTF-8');
  });

  it('shows hex in rows of sixteen bytes', () => {
    const rows = hexDump(utf8('Penstock streams!')).split('\n');
    expect(rows).toEqual([
      '00000000  50 65 6e 73 74 6f 63 6b 20 73 74 72 65 61 6d 73  Penstock streams',
      `00000010  21${' '.repeat(45)}  !`,
    ]);
  });

  it('truncates a hex dump before the page would freeze', () => {
    expect(hexDump(new Uint8Array(70_000)).split('\n').at(-1)).toBe('… 4464 more bytes');
  });
});

describe('the preview in a table', () => {
  it('is short, on one line, and hex for binary data', () => {
    expect(preview(utf8('a\n  b'))).toBe('a b');
    expect(preview(utf8('x'.repeat(200)))).toHaveLength(121);
    expect(preview(bytes(0xde, 0xad, 0xbe, 0xef))).toBe('0xdeadbeef');
  });
});

it('base64 round-trips to the same bytes', () => {
  const all = Uint8Array.from({ length: 256 }, (_, value) => value);
  expect(fromBase64(toBase64(all))).toEqual(all);
});
