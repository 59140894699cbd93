// Reads the messages of plain calls, within the limits of their methods.
import {
  create,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageShape,
  mergeFromBinary,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Code, ConnectError } from '@connectrpc/connect';
import type { RequestLimit } from '../../budgets/request-limits.ts';
import { countValues, piecesOf } from './wire-scan.ts';

/** A message of this size is decoded at once: in a few milliseconds at most. */
const STEP_BYTES = 16 * 1024;
/** Number of bytes counted per step, which takes about a millisecond. */
const COUNTED_BYTES = 64 * 1024;
/** The shortest value on the wire: a tag and a length, or one number of a packed list and its share of both. */
const LEAST_BYTES_PER_VALUE = 1;

/** Fields of later versions would be views of the bytes, and keep them all for as long as any part of the message. */
export const WITHOUT_UNKNOWN_FIELDS = { readUnknownFields: false } as const;

/** @throws ConnectError internal for malformed bytes, as Connect's adapter does */
export function parseMessage<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  try {
    return fromBinary(schema, bytes, WITHOUT_UNKNOWN_FIELDS);
  } catch (error) {
    throw malformed(error);
  }
}

/**
 * Like `parseMessage`, for a message of any size, in steps of a few milliseconds.
 * @param turn waits for a turn among all clusters
 * @throws ConnectError resource_exhausted when it has more values than the method takes
 */
export async function parseInSteps<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
  { maxValues }: Pick<RequestLimit, 'maxValues'>,
  turn: () => Promise<void> | undefined,
): Promise<MessageShape<Schema>> {
  if (bytes.length <= STEP_BYTES) {
    requireValues(schema, bytes, maxValues);
    return parseMessage(schema, bytes);
  }
  // All are counted first: a message that is refused costs no memory.
  let values = 0;
  for (const piece of piecesOf(schema, bytes, COUNTED_BYTES)) {
    await turn();
    values +=
      'field' in piece
        ? countValues(piece.field.message, piece.content, maxValues - values)
        : countValues(schema, piece.fields, maxValues - values);
    if (values > maxValues) {
      throw tooManyValues(schema, maxValues);
    }
  }
  const message = create(schema);
  await mergeInSteps(schema, message, bytes, turn);
  return message;
}

/** No message of the contract is nested deeper. What is deeper is decoded at once. */
const MAX_DEPTH = 6;

async function mergeInSteps(
  schema: DescMessage,
  message: Message,
  bytes: Uint8Array,
  turn: () => Promise<void> | undefined,
  depth = 0,
): Promise<void> {
  const pieces = depth < MAX_DEPTH ? piecesOf(schema, bytes, STEP_BYTES) : [{ fields: bytes }];
  for (const piece of pieces) {
    if ('field' in piece) {
      const { field, content } = piece;
      const whole = reflect(schema, message, false);
      // A message that comes twice is merged, an entry of a list is one more.
      const part = field.fieldKind === 'message' ? whole.get(field).message : create(field.message);
      await mergeInSteps(field.message, part, content, turn, depth + 1);
      const reflected = reflect(field.message, part, false);
      if (field.fieldKind === 'message') {
        whole.set(field, reflected);
      } else {
        whole.get(field).add(reflected);
      }
    } else {
      await turn();
      try {
        mergeFromBinary(schema, message, piece.fields, WITHOUT_UNKNOWN_FIELDS);
      } catch (error) {
        throw malformed(error);
      }
    }
  }
}

/** @throws ConnectError resource_exhausted when a message has more values than `maxValues` */
export function requireValues(schema: DescMessage, bytes: Uint8Array, maxValues: number): void {
  if (bytes.length > maxValues * LEAST_BYTES_PER_VALUE && countValues(schema, bytes, maxValues) > maxValues) {
    throw tooManyValues(schema, maxValues);
  }
}

function tooManyValues(schema: DescMessage, maxValues: number): ConnectError {
  return new ConnectError(
    `${schema.name} has more than ${maxValues} fields and list entries: split it into several calls`,
    Code.ResourceExhausted,
  );
}

function malformed(error: unknown): ConnectError {
  return new ConnectError(`parse binary: ${error instanceof Error ? error.message : String(error)}`, Code.Internal);
}
