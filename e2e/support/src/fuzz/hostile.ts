// Generators of inputs that break programs: texts, values of the wrong kind, bent JSON, damaged bytes.
import fc from 'fast-check';

/** PostgreSQL's text cannot hold NUL, and UTF-8 cannot hold half of a surrogate pair. */
export const unstorableTexts = ['\0', 'a\0b', '\ud800', 'a\udfffb'] as const;

const awkwardTexts = [
  ...unstorableTexts,
  '',
  ' ',
  '.',
  '..',
  '-',
  '%',
  '%00',
  '_',
  "'",
  '"',
  '\\',
  '\r\n',
  '\u202e',
  '\u{1f600}',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e400',
  '9223372036854775808',
  '2026-02-30',
  '0000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  '=1+1',
  '<script>',
];

/** Texts that programs trip over, at any length up to this. */
export function hostileText(maxLength = 2_000): fc.Arbitrary<string> {
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...awkwardTexts) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    { weight: 1, arbitrary: fc.nat(maxLength).map((length) => 'x'.repeat(length)) },
    { weight: 1, arbitrary: fc.nat(maxLength).map((length) => 'é'.repeat(length)) },
  );
  return text.map((made) => made.slice(0, maxLength));
}

const edges = [
  0,
  -0,
  -1,
  1,
  0.5,
  255,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  8.64e15,
  1e300,
];

export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...edges),
  fc.constantFrom(...edges).map((edge) => -edge),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Any JSON, mostly of a kind that nobody expects. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText() },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: { b: [] } }) },
  { weight: 1, arbitrary: fc.array(hostileText(20), { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.nat(200).map(nested) },
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) {
    value = level % 2 === 0 ? [value] : { value };
  }
  return value;
}

/** A text that was good: kept, cut, doubled, or with a hostile part in it. */
export function bentText(good: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.tuple(fc.nat(good.length), hostileText(20)).map(([at, part]) => good.slice(0, at) + part + good.slice(at)),
    fc.nat(good.length).map((length) => good.slice(0, length)),
    fc.constantFrom(good.toUpperCase(), good + good, ` ${good} `, [...good].reverse().join('')),
    hostileText(),
  );
}

/** JSON that was good, with one to three of its parts replaced, bent, left out or repeated. */
export function bentJson(good: unknown): fc.Arbitrary<unknown> {
  return fc.integer({ min: 1, max: 3 }).chain((times) => {
    let bent = fc.constant(good);
    for (let time = 0; time < times; time += 1) {
      bent = bent.chain(bendOnce);
    }
    return bent;
  });
}

function bendOnce(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'string') {
    return fc.oneof({ weight: 3, arbitrary: bentText(value) }, hostileValue);
  }
  if (typeof value !== 'object' || value === null) {
    return fc.oneof(hostileNumber, hostileValue);
  }
  const names = Object.keys(value);
  if (names.length === 0) {
    return fc.oneof(fc.constant(value), hostileValue);
  }
  const whole = value as Readonly<Record<string, unknown>>;
  const inside = fc.constantFrom(...names).chain((name) => bendOnce(whole[name]).map((part) => ({ name, part })));
  const replaced = inside.map(({ name, part }) => withPart(value, name, part));
  const without = fc.constantFrom(...names).map((name) => withoutPart(value, name));
  const added = fc.tuple(hostileText(20), hostileValue).map(([name, part]) => withPart(value, name, part));
  return fc.oneof(
    { weight: 12, arbitrary: replaced },
    { weight: 2, arbitrary: without },
    { weight: 1, arbitrary: added },
    { weight: 1, arbitrary: hostileValue },
  );
}

function withPart(whole: object, name: string, part: unknown): unknown {
  if (Array.isArray(whole)) {
    const at = Number(name);
    return Number.isInteger(at) && at >= 0 && at < whole.length ? whole.with(at, part) : [...whole, part, part];
  }
  // As a parser of JSON sets it: `__proto__` becomes a property.
  return Object.fromEntries([...Object.entries(whole).filter(([known]) => known !== name), [name, part]]);
}

function withoutPart(whole: object, name: string): unknown {
  return Array.isArray(whole)
    ? whole.filter((_part, at) => at !== Number(name))
    : Object.fromEntries(Object.entries(whole).filter(([known]) => known !== name));
}

const hostileBytes: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constantFrom(
    [0],
    [0xff],
    [0x7f],
    [0x80],
    [0xff, 0xff, 0xff, 0xff],
    [0x7f, 0xff, 0xff, 0xff],
    [0xff, 0xff, 0xff, 0xff, 0x0f],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
  ),
  fc.array(fc.nat(255), { minLength: 1, maxLength: 8 }),
);

/** Bytes that were good, damaged in one to four places: overwritten, inserted, removed, repeated or cut off. */
export function damagedBytes(good: Uint8Array): fc.Arbitrary<Uint8Array> {
  const place = fc.record({
    at: fc.nat(Math.max(0, good.length - 1)),
    how: fc.constantFrom('flip', 'flip', 'overwrite', 'insert', 'remove', 'repeat', 'cut'),
    bit: fc.nat(7),
    length: fc.integer({ min: 1, max: 16 }),
    bytes: hostileBytes,
  });
  return fc.array(place, { minLength: 1, maxLength: 4 }).map((places) => {
    let bytes: readonly number[] = [...good];
    for (const { at, how, bit, length, bytes: given } of places) {
      const [front, rest] = [bytes.slice(0, at), bytes.slice(at)];
      switch (how) {
        case 'flip':
          bytes = at < bytes.length ? bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit)) : bytes;
          break;
        case 'overwrite':
          bytes = [...front, ...given, ...rest.slice(given.length)];
          break;
        case 'insert':
          bytes = [...front, ...given, ...rest];
          break;
        case 'remove':
          bytes = [...front, ...rest.slice(length)];
          break;
        case 'repeat':
          bytes = [...front, ...rest.slice(0, length), ...rest];
          break;
        case 'cut':
          bytes = front;
          break;
      }
    }
    return Uint8Array.from(bytes);
  });
}
