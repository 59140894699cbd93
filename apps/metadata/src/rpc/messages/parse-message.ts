import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';

/** Fields of later versions would be views of the bytes, and keep them all for as long as any part of the message. */
export const WITHOUT_UNKNOWN_FIELDS = { readUnknownFields: false } as const;

/** @throws ConnectError internal for malformed bytes, as Connect's adapter does */
export function parseMessage<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  try {
    return fromBinary(schema, bytes, WITHOUT_UNKNOWN_FIELDS);
  } catch (error) {
    throw new ConnectError(`parse binary: ${error instanceof Error ? error.message : String(error)}`, Code.Internal);
  }
}
