// Encodes random requests of Kafka's protocol: every field of every API and version, with extremes of values and lengths.

import type { Random } from '../../support/random.ts';
import { type FieldSpec, hasVersion, type RequestSpec } from './kafka-specs.ts';

const MAX_DEPTH = 4;
const TEXTS = ['', 'a', '.', '__proto__', 'strangers', 'a\nb', '\u0000', '\u{1f600}', 'consumer', 'range', '*'];
const INT32S = [0, 1, -1, 2, 1_000, 2_147_483_647, -2_147_483_648];
const INT64S = [0n, 1n, -1n, -2n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)];
/** Bytes of one request. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

/** The body of a request, without its header. A length may lie about what follows. */
export function randomRequestBody(random: Random, spec: RequestSpec, version: number): Buffer {
  const structs = new Map((spec.commonStructs ?? []).map(({ name, fields }) => [name, fields]));
  const encoder = new Encoder(random, version, hasVersion(spec.flexibleVersions, version), structs);
  encoder.fields(spec.fields, 0);
  const body = encoder.bytes();
  if (random.chance(0.1) && body.length > 0) {
    // Damaged, cut short or followed by more.
    const damaged = Buffer.from(body);
    damaged[random.below(damaged.length)] = random.below(256);
    return random.chance(0.5) ? damaged : damaged.subarray(0, random.below(damaged.length));
  }
  return body;
}

class Encoder {
  readonly #random: Random;
  readonly #version: number;
  readonly #isFlexible: boolean;
  readonly #structs: ReadonlyMap<string, FieldSpec[]>;
  readonly #parts: Buffer[] = [];
  #size = 0;

  constructor(random: Random, version: number, isFlexible: boolean, structs: ReadonlyMap<string, FieldSpec[]>) {
    this.#random = random;
    this.#version = version;
    this.#isFlexible = isFlexible;
    this.#structs = structs;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  fields(fields: readonly FieldSpec[], depth: number): void {
    for (const field of fields) {
      if (field.tag === undefined && hasVersion(field.versions, this.#version)) {
        this.#field(field, depth);
      }
    }
    if (this.#isFlexible) {
      // No tagged fields.
      this.#push(Buffer.from([0]));
    }
  }

  #field(field: FieldSpec, depth: number): void {
    const isFlexible = this.#isFlexible && field.flexibleVersions !== 'none';
    const isNull = hasVersion(field.nullableVersions, this.#version) && this.#random.chance(0.1);
    if (!field.type.startsWith('[]')) {
      this.#value(field, field.type, isNull, isFlexible, depth);
      return;
    }
    const type = field.type.slice(2);
    const isShort = depth >= 2 || this.#size > MAX_REQUEST_BYTES / 4;
    const count = isNull ? -1 : isShort ? this.#random.below(3) : this.#random.length(16_384);
    const claimed = this.#random.chance(0.02) ? 2_147_483_646 : count;
    this.#push(lengthOf(claimed, isFlexible));
    for (let index = 0; index < count && this.#size < MAX_REQUEST_BYTES; index += 1) {
      this.#value(field, type, false, isFlexible, depth + 1);
    }
  }

  #value(field: FieldSpec, type: string, isNull: boolean, isFlexible: boolean, depth: number): void {
    const scalar = this.#scalar(type, isNull, isFlexible);
    if (scalar !== undefined) {
      this.#push(scalar);
      return;
    }
    const fields = field.fields ?? this.#structs.get(type) ?? [];
    this.fields(depth > MAX_DEPTH ? [] : fields, depth + 1);
  }

  /** Undefined for a struct. */
  #scalar(type: string, isNull: boolean, isFlexible: boolean): Buffer | undefined {
    const random = this.#random;
    switch (type) {
      case 'bool':
        return Buffer.from([random.below(2)]);
      case 'int8':
        return Buffer.from([random.below(256)]);
      case 'int16':
      case 'uint16':
        return bigEndian(BigInt(random.pick([0, 1, -1, 3, 32_767, -32_768])), 2);
      case 'int32':
      case 'uint32':
        return bigEndian(BigInt(random.pick(INT32S)), 4);
      case 'int64':
      case 'float64':
        return bigEndian(random.pick(INT64S), 8);
      case 'uuid':
        return random.chance(0.3) ? Buffer.alloc(16) : random.bytes(16);
      case 'string':
        return stringOf(isNull ? null : textOf(random), isFlexible);
      case 'bytes':
      case 'records':
        return blobOf(isNull ? null : random.bytes(random.length(65_536)), isFlexible);
      default:
        return undefined;
    }
  }

  #push(bytes: Buffer): void {
    this.#size += bytes.length;
    this.#parts.push(bytes);
  }
}

function textOf(random: Random): string {
  return random.chance(0.9) ? random.pick(TEXTS) : 'x'.repeat(random.length(32_767));
}

function stringOf(text: string | null, isFlexible: boolean): Buffer {
  const bytes = text === null ? null : Buffer.from(text);
  const length = isFlexible ? lengthOf(bytes?.length ?? -1, true) : bigEndian(BigInt(bytes?.length ?? -1), 2);
  return Buffer.concat([length, bytes ?? Buffer.alloc(0)]);
}

function blobOf(bytes: Buffer | null, isFlexible: boolean): Buffer {
  return Buffer.concat([lengthOf(bytes?.length ?? -1, isFlexible), bytes ?? Buffer.alloc(0)]);
}

/** The length of an array or of bytes; -1 is null. */
function lengthOf(length: number, isFlexible: boolean): Buffer {
  return isFlexible ? varint(length + 1) : bigEndian(BigInt(length), 4);
}

function bigEndian(value: bigint, width: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt.asIntN(64, value));
  return buffer.subarray(8 - width);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
