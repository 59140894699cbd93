import { crc32 as oracle } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestGroup } from '../testing/groups.ts';
import { ByteReader, CorruptDataError } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { crc32 } from './crc32.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import { seal } from './envelope.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';

const entry = encodeEntry({ nowMs: 5, commands: [{ kind: 'delete-groups', groupIds: ['g', 'h'] }] });
const snapshot = encodeSnapshot(TestGroup.stable('a', 'b').cluster.state);

describe('damaged data', () => {
  it.each([
    ['journal entry', entry, decodeEntry],
    ['snapshot', snapshot, decodeSnapshot],
  ])('is noticed wherever a bit flips in a %s', (_what, good, decode) => {
    for (let at = 0; at < good.length; at += 1) {
      const bad = good.slice();
      bad[at] = (bad[at] ?? 0) ^ 0x10;
      expect(() => decode(bad)).toThrow(CorruptDataError);
    }
  });

  it.each([
    ['journal entry', entry, decodeEntry],
    ['snapshot', snapshot, decodeSnapshot],
  ])('is noticed wherever a %s is cut off', (_what, good, decode) => {
    for (let length = 0; length < good.length; length += 1) {
      expect(() => decode(good.subarray(0, length))).toThrow(CorruptDataError);
    }
  });

  it('with a right checksum still never makes anything but CorruptDataError or a value', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(1, 2, 3),
        fc.constantFrom(decodeEntry, decodeSnapshot),
        (body, version, decode) => {
          try {
            decode(seal(version, (to) => to.raw(body)));
          } catch (error) {
            expect(error).toBeInstanceOf(CorruptDataError);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('of a later version is refused by its number', () => {
    expect(() => decodeEntry(seal(4, (to) => to.unsigned(1)))).toThrow('version 4 is not one of 1 to 3');
  });
});

describe('primitives', () => {
  it('give back every integer that a number holds exactly', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeNat(), (signed, unsigned) => {
        const to = new ByteWriter();
        to.signed(signed);
        to.unsigned(unsigned);
        const from = new ByteReader(to.written());
        expect([from.signed(), from.unsigned(), from.remaining]).toEqual([signed, unsigned, 0]);
      }),
    );
    for (const edge of [
      0,
      -1,
      63,
      64,
      -64,
      -65,
      127,
      128,
      2 ** 31 - 1,
      2 ** 31,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
    ]) {
      const to = new ByteWriter();
      to.signed(edge);
      expect(new ByteReader(to.written()).signed()).toBe(edge);
    }
  });

  it('check with CRC-32 as the rest of the world computes it', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf4_3926);
    expect(crc32(new Uint8Array(0))).toBe(0);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(9), (bytes, skipped) => {
        const part = bytes.subarray(skipped);
        expect(crc32(part)).toBe(oracle(part));
      }),
    );
  });
});
