// Random messages of the agents' RPC: every field of every method, with extremes of values and lengths.
import { create, type DescField, type DescMessage, type Message, ScalarType, toBinary } from '@bufbuild/protobuf';
import type { Random } from '../../support/random.ts';

const INTEGERS = [0, 1, -1, 2, 127, 128, 255, 32_767, 65_535, 2_147_483_647, -2_147_483_648];
const LONGS = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 53n - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const TEXTS = [
  '',
  'a',
  '.',
  '..',
  '__proto__',
  'constructor',
  'toString',
  'a\nb',
  '\u202egpj',
  '*',
  'User:ANONYMOUS',
  'ä'.repeat(300),
];
const MAX_DEPTH = 4;
/** Elements of all lists of one message, and bytes of all its texts: the attacker's own time is limited, too. */
const MAX_ELEMENTS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;
const BYTES_PER_VALUE = 4;

interface Budget {
  elements: number;
  bytes: number;
}

/** Values that make calls reach further than random ones: ids and names that exist in the attacker's cluster. */
export interface Known {
  bytes: Uint8Array[];
  texts: string[];
}

export function randomRequest(random: Random, description: DescMessage, known: Known): Uint8Array {
  const budget = { elements: MAX_ELEMENTS, bytes: MAX_BYTES };
  return toBinary(description, messageOf(random, description, known, budget, 0));
}

function messageOf(random: Random, description: DescMessage, known: Known, budget: Budget, depth: number): Message {
  const init = new Map<string, unknown>();
  for (const field of description.fields) {
    if (random.chance(0.85)) {
      init.set(field.localName, fieldOf(random, field, known, budget, depth));
    }
  }
  return create(description, Object.fromEntries([...init].filter(([, value]) => value !== undefined)));
}

function fieldOf(random: Random, field: DescField, known: Known, budget: Budget, depth: number): unknown {
  const one = (): unknown => {
    switch (field.fieldKind) {
      case 'message':
        return messageIn(random, field.message, known, budget, depth);
      case 'enum':
        return random.pick([...field.enum.values.map(({ number }) => number), 99]);
      case 'scalar':
        return scalarOf(random, field.scalar, known, budget);
      case 'list':
        if (field.listKind === 'message') {
          return messageIn(random, field.message, known, budget, depth);
        }
        return field.listKind === 'scalar' ? scalarOf(random, field.scalar, known, budget) : 0;
      default:
        return undefined;
    }
  };
  if (field.fieldKind === 'map' || (field.oneof !== undefined && !field.proto.proto3Optional)) {
    return undefined;
  }
  if (field.fieldKind !== 'list') {
    return one();
  }
  const wanted = Math.min(random.length(65_536), budget.elements);
  if (wanted === 0) {
    return [];
  }
  // Long lists repeat one element: what they cost the service is what counts.
  const bytesBefore = budget.bytes;
  const first = one();
  const costBytes = Math.max(1, bytesBefore - budget.bytes);
  const count = Math.max(1, Math.min(wanted, Math.floor(budget.bytes / costBytes)));
  budget.elements -= count;
  if (count > 16) {
    budget.bytes -= count * costBytes;
    return Array.from({ length: count }, () => first);
  }
  return [first, ...Array.from({ length: count - 1 }, one)];
}

function messageIn(
  random: Random,
  description: DescMessage,
  known: Known,
  budget: Budget,
  depth: number,
): Message | undefined {
  return depth >= MAX_DEPTH ? create(description) : messageOf(random, description, known, budget, depth + 1);
}

function scalarOf(random: Random, type: ScalarType, known: Known, budget: Budget): unknown {
  // Every value takes some bytes, so that a list of small messages is bounded, too.
  budget.bytes = Math.max(0, budget.bytes - BYTES_PER_VALUE);
  const length = (most: number): number => {
    const bytes = Math.min(random.length(most), budget.bytes);
    budget.bytes -= bytes;
    return bytes;
  };
  switch (type) {
    case ScalarType.BOOL:
      return random.chance(0.5);
    case ScalarType.BYTES:
      return random.chance(0.6) && known.bytes.length > 0 ? random.pick(known.bytes) : random.bytes(length(65_536));
    case ScalarType.STRING:
      if (random.chance(0.4) && known.texts.length > 0) {
        return random.pick(known.texts);
      }
      return random.chance(0.7) ? random.pick(TEXTS) : 'x'.repeat(length(1_048_576));
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return random.pick([0, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY]);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return random.pick(LONGS);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return random.pick([0n, 1n, 2n ** 53n, 2n ** 64n - 1n]);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return random.pick([0, 1, 2, 65_536, 4_294_967_295]);
    default:
      return random.pick(INTEGERS);
  }
}
