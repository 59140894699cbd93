import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter } from './byte-writer.ts';

const anInteger = fc.oneof(
  fc.nat(300),
  fc.nat(0xffff_ffff),
  fc.maxSafeNat(),
  fc.constantFrom(127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER),
);

function written(write: (to: ByteWriter) => void): Uint8Array {
  const to = new ByteWriter(1);
  to.byte(1);
  write(to);
  to.byte(2);
  return to.written();
}

test('a column is written as its integers are one by one', () => {
  fc.assert(
    fc.property(fc.array(anInteger, { maxLength: 200 }), (values) => {
      const oneByOne = written((to) => {
        for (const value of values) {
          to.unsigned(value);
        }
      });
      expect(written((to) => to.unsigneds(Float64Array.from(values)))).toEqual(oneByOne);
      const narrow = values.filter((value) => value <= 0xffff_ffff);
      expect(written((to) => to.unsigneds(Uint32Array.from(narrow)))).toEqual(
        written((to) => to.unsigneds(Float64Array.from(narrow))),
      );
    }),
  );
});

test.each([-1, 0.5, -(2 ** 40), 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])(
  '%d in a column is refused',
  (wrong) => {
    expect(() => written((to) => to.unsigneds(Float64Array.of(1, wrong)))).toThrow();
  },
);
