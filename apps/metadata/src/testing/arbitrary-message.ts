// Generates requests from their descriptors: fields of the right kind, with contents that a hostile agent would send.
import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  ScalarType,
  toBinary,
} from '@bufbuild/protobuf';
import { hostileText } from '@penstock/testing/fuzz';
import fc from 'fast-check';

/** Names and ids of things that the cluster has, so that requests get past the first check. */
export interface Known {
  texts: readonly string[];
  bytes: readonly Uint8Array[];
}

const numbers = fc.oneof(
  { weight: 4, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 100, 65_536, 2 ** 31 - 1, -(2 ** 31)) },
  { weight: 1, arbitrary: fc.integer() },
);
const unsigned = numbers.map((number) => number >>> 0);
const wide = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 3n }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-1n, -2n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n)),
  },
  { weight: 1, arbitrary: fc.constant(0).map(() => BigInt(Date.now())) },
);
const wideUnsigned = wide.map((number) => BigInt.asUintN(64, number));

function scalar(type: ScalarType, known: Known): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...known.texts) },
        { weight: 1, arbitrary: hostileText(300).map((text) => text.toWellFormed()) },
      );
    case ScalarType.BYTES:
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...known.bytes) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
      );
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return fc.oneof(fc.constantFrom(0, 1, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300), fc.double());
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return unsigned;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return wideUnsigned;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return wide;
    default:
      return numbers;
  }
}

/** Values of a field, set through reflection; undefined leaves it out. */
function fieldValue(field: DescField, known: Known, depth: number): fc.Arbitrary<unknown> {
  const inner = (message: DescMessage): fc.Arbitrary<unknown> => arbitraryMessage(message, known, depth + 1);
  switch (field.fieldKind) {
    case 'scalar':
      return scalar(field.scalar, known);
    case 'enum':
      return fc.oneof(fc.constantFrom(...field.enum.values.map(({ number }) => number)), fc.constantFrom(99, -1));
    case 'message':
      return inner(field.message);
    case 'list': {
      const item =
        field.listKind === 'scalar'
          ? scalar(field.scalar, known)
          : field.listKind === 'enum'
            ? fc.constantFrom(...field.enum.values.map(({ number }) => number), 99)
            : inner(field.message);
      return fc.array(item, { maxLength: depth > 1 ? 2 : 4 });
    }
    default:
      return fc.constant(undefined);
  }
}

export function arbitraryMessage(desc: DescMessage, known: Known, depth = 0): fc.Arbitrary<Message> {
  if (depth > 4) {
    return fc.constant(create(desc));
  }
  const members = desc.members.map((member: DescField | DescOneof) => {
    const fields: readonly DescField[] = member.kind === 'oneof' ? member.fields : [member];
    return fc.option(
      fc.constantFrom(...fields).chain((field) => fieldValue(field, known, depth).map((value) => ({ field, value }))),
      { freq: 5 },
    );
  });
  return fc.tuple(...members).map((chosen) => {
    const message = create(desc);
    const fields: Record<string, unknown> = {};
    for (const entry of chosen) {
      if (entry !== null && entry.value !== undefined) {
        const { field, value } = entry;
        if (field.oneof === undefined) {
          fields[field.localName] = value;
        } else {
          fields[field.oneof.localName] = { case: field.localName, value };
        }
      }
    }
    return create(desc, { ...message, ...fields });
  });
}

export function arbitraryRequest(desc: DescMessage, known: Known): fc.Arbitrary<Uint8Array> {
  return arbitraryMessage(desc, known).map((message) => toBinary(desc, message));
}
