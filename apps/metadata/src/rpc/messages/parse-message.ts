// Reads the messages of plain calls, within the limits of their methods.
import { create, type DescMessage, fromBinary, type MessageShape, mergeFromBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { RequestLimit } from '../../budgets/request-limits.ts';
import { countValues, piecesOf } from './wire-scan.ts';

/** A message of this size is decoded at once: in a few milliseconds at most. */
const STEP_BYTES = 16 * 1024;
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
 * The same for a message of any size, in steps of a few milliseconds.
 * @param turn waits for a turn among all clusters
 * @throws ConnectError resource_exhausted when it has more values than the method takes
 */
export async function parseInSteps<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
  { maxValues }: Pick<RequestLimit, 'maxValues'>,
  turn: () => Promise<void> | undefined,
): Promise<MessageShape<Schema>> {
  requireValues(schema, bytes, maxValues);
  if (bytes.length <= STEP_BYTES) {
    return parseMessage(schema, bytes);
  }
  const message = create(schema);
  for (const piece of piecesOf(schema, bytes, STEP_BYTES)) {
    await turn();
    try {
      mergeFromBinary(schema, message, piece, WITHOUT_UNKNOWN_FIELDS);
    } catch (error) {
      throw malformed(error);
    }
  }
  return message;
}

/** @throws ConnectError resource_exhausted when a message has more values than `maxValues` */
export function requireValues(schema: DescMessage, bytes: Uint8Array, maxValues: number): void {
  if (bytes.length > maxValues * LEAST_BYTES_PER_VALUE && countValues(schema, bytes, maxValues) > maxValues) {
    throw new ConnectError(
      `${schema.name} has more than ${maxValues} fields and list entries: split it into several calls`,
      Code.ResourceExhausted,
    );
  }
}

function malformed(error: unknown): ConnectError {
  return new ConnectError(`parse binary: ${error instanceof Error ? error.message : String(error)}`, Code.Internal);
}
