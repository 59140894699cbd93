// Reads the protobuf wire format without building messages: how many values a message has, and where it can be cut so that it is decoded in
// steps. https://protobuf.dev/programming-guides/encoding/
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

const VARINT = 0;
const I64 = 1;
const BYTES = 2;
const I32 = 5;

/** Deeper nesting is cut off there, and its content counted as bytes. No message of the contract is deeper than 6. */
const MAX_DEPTH = 12;

/**
 * Counts fields, entries and packed numbers, nested ones included. Of malformed bytes it counts what precedes the defect.
 * @param limit counting stops beyond it
 */
export function countValues(schema: DescMessage, bytes: Uint8Array, limit: number): number {
  return counted(schema, bytes, 0, bytes.length, limit, 0);
}

function counted(
  schema: DescMessage,
  bytes: Uint8Array,
  start: number,
  end: number,
  limit: number,
  depth: number,
): number {
  const fields = fieldsOf(schema);
  let values = 0;
  for (let at = start; at < end && values <= limit; ) {
    const field = readField(bytes, at, end);
    if (field === undefined) {
      return values;
    }
    values += 1;
    if (field.wireType === BYTES) {
      const known = fields.get(field.number);
      const message = known?.message;
      if (message !== undefined && depth < MAX_DEPTH) {
        values += counted(message, bytes, field.contentStart, field.end, limit - values, depth + 1);
      } else if (known?.isPacked === true) {
        values += endsOfVarints(bytes, field.contentStart, field.end);
      }
    }
    at = field.end;
  }
  return values;
}

/** A part of a message: fields of it, or the content of one message in it that is too long for a piece. */
export type Piece = { fields: Uint8Array } | { field: NestedField; content: Uint8Array };

export type NestedField = DescField & { fieldKind: 'message' | 'list'; message: DescMessage };

/**
 * Cuts a message into pieces of at most about so many bytes. Decoded into one message, one after the other, they give the same as the whole.
 * Of malformed bytes, the last piece is malformed.
 */
export function* piecesOf(schema: DescMessage, bytes: Uint8Array, maxBytes: number): Generator<Piece> {
  const fields = fieldsOf(schema);
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const field = readField(bytes, at, bytes.length);
    if (field === undefined) {
      break;
    }
    const isLong = field.wireType === BYTES && field.end - at > maxBytes;
    const long = isLong ? fields.get(field.number) : undefined;
    if (long?.isPacked === true || long?.nested !== undefined) {
      if (at > start) {
        yield { fields: bytes.subarray(start, at) };
      }
      if (long.nested === undefined) {
        yield* packedPieces(field.number, bytes, field.contentStart, field.end, maxBytes);
      } else {
        yield { field: long.nested, content: bytes.subarray(field.contentStart, field.end) };
      }
      start = field.end;
    } else if (field.end - start > maxBytes) {
      yield { fields: bytes.subarray(start, field.end) };
      start = field.end;
    }
    at = field.end;
  }
  if (start < bytes.length) {
    yield { fields: bytes.subarray(start) };
  }
}

/** A packed list may be sent in any number of parts. */
function* packedPieces(
  fieldNumber: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  maxBytes: number,
): Generator<Piece> {
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + maxBytes);
    // A number's last byte is the one without the highest bit.
    while (to < end && (bytes[to - 1] ?? 0) >= 0x80) {
      to += 1;
    }
    yield { fields: Buffer.concat([varint(fieldNumber * 8 + BYTES), varint(to - from), bytes.subarray(from, to)]) };
    from = to;
  }
}

interface WireField {
  number: number;
  wireType: number;
  contentStart: number;
  end: number;
}

function readField(bytes: Uint8Array, at: number, limit: number): WireField | undefined {
  const tag = readVarint(bytes, at, limit);
  if (tag === undefined) {
    return undefined;
  }
  const wireType = tag.value % 8;
  const number = Math.floor(tag.value / 8);
  let contentStart = tag.end;
  let end = tag.end;
  switch (wireType) {
    case VARINT: {
      const value = readVarint(bytes, tag.end, limit);
      if (value === undefined) {
        return undefined;
      }
      end = value.end;
      break;
    }
    case I64:
      end += 8;
      break;
    case I32:
      end += 4;
      break;
    case BYTES: {
      const length = readVarint(bytes, tag.end, limit);
      if (length === undefined) {
        return undefined;
      }
      contentStart = length.end;
      end = length.end + length.value;
      break;
    }
    default:
      // Groups are in no message of the contract.
      return undefined;
  }
  return end <= limit ? { number, wireType, contentStart, end } : undefined;
}

function readVarint(bytes: Uint8Array, at: number, limit: number): { value: number; end: number } | undefined {
  let value = 0;
  let factor = 1;
  for (let index = at; index < limit && index < at + 10; index += 1) {
    const byte = bytes[index] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) {
      return { value, end: index + 1 };
    }
    factor *= 128;
  }
  return undefined;
}

function endsOfVarints(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index += 1) {
    count += (bytes[index] ?? 0) < 0x80 ? 1 : 0;
  }
  return count;
}

function varint(value: number): Uint8Array {
  const result: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    result.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Uint8Array.from([...result, rest]);
}

interface KnownField {
  message: DescMessage | undefined;
  /** The field when it holds a message, or a list of messages. */
  nested: NestedField | undefined;
  /** A list of numbers that are written as varints. */
  isPacked: boolean;
}

const known = new WeakMap<DescMessage, ReadonlyMap<number, KnownField>>();

function fieldsOf(schema: DescMessage): ReadonlyMap<number, KnownField> {
  let fields = known.get(schema);
  if (fields === undefined) {
    fields = new Map(schema.fields.map((field) => [field.number, knownField(field)]));
    known.set(schema, fields);
  }
  return fields;
}

function knownField(field: DescField): KnownField {
  return { message: field.message, nested: isNested(field) ? field : undefined, isPacked: isPackedVarints(field) };
}

function isNested(field: DescField): field is NestedField {
  return field.message !== undefined && (field.fieldKind === 'message' || field.fieldKind === 'list');
}

const NO_VARINTS: ReadonlySet<ScalarType> = new Set([
  ScalarType.STRING,
  ScalarType.BYTES,
  ScalarType.DOUBLE,
  ScalarType.FLOAT,
  ScalarType.FIXED32,
  ScalarType.FIXED64,
  ScalarType.SFIXED32,
  ScalarType.SFIXED64,
]);

function isPackedVarints(field: DescField): boolean {
  return (
    field.fieldKind === 'list' &&
    (field.listKind === 'enum' || (field.listKind === 'scalar' && !NO_VARINTS.has(field.scalar)))
  );
}
