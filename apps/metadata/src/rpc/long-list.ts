// Long lists in responses: described and encoded in steps, between which others have their turn. A catalogue of 100,000 topics takes a second.
import {
  create,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  mergeFromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { ClusterState } from '@penstock/metadata-core';
import { type Answering, MAX_ANSWER_BYTES, requireAnswerBytes } from './answer-in-steps.ts';

/** About a millisecond each. */
const ENTRIES_PER_STEP = 100;
const BYTES_PER_STEP = 32 * 1024;
/** Tag and length of an entry, at most. */
const ENTRY_BYTES = 6;
/** Up to this size a list becomes part of its message as usual. */
const MAX_SHORT_BYTES = 16 * 1024;
/** Maximum size of a message sent as JSON. It is encoded in one step, which takes 100 ms per MiB. */
const MAX_JSON_BYTES = 256 * 1024;

/** The values of a repeated field of messages, as they are in a message that contains them. */
export interface EncodedList {
  fieldNumber: number;
  bytes: Uint8Array;
}

export interface ListField<Entry extends DescMessage> {
  entry: Entry;
  /** Below 16: its tag is one byte. */
  fieldNumber: number;
}

/** The items to list, or a function of the state that finds the next one when its turn comes. */
type Items<Item> = Iterable<Item> | ((state: ClusterState) => Iterable<Item>);

/**
 * Encodes one entry per item.
 * @param parts of an item's entry, merged as protobuf merges messages: lists are appended. None: the item has no entry. A long entry has
 *   several, which are made and encoded one after the other; they may find that the state has changed in between.
 * @throws ConnectError resource_exhausted when the list would be too large
 */
export async function encodeInSteps<Item, Entry extends DescMessage>(
  { owner, turn }: Answering,
  { entry, fieldNumber }: ListField<Entry>,
  items: Items<Item>,
  parts: (state: ClusterState, item: Item) => Iterable<MessageInitShape<Entry>>,
  maxBytes = MAX_ANSWER_BYTES,
): Promise<EncodedList> {
  const steps: Uint8Array[] = [];
  let totalBytes = 0;
  let unfinished: Uint8Array[] = [];
  let rest: Iterator<Item> | undefined;
  let current: Iterator<MessageInitShape<Entry>> | undefined;
  let isDone = false;
  while (!isDone) {
    if (steps.length > 0) {
      await turn();
    }
    await owner.read((state) => {
      rest ??= (typeof items === 'function' ? items(state) : items)[Symbol.iterator]();
      const writer = new BinaryWriter();
      let stepBytes = 0;
      for (let entries = 0; entries < ENTRIES_PER_STEP && stepBytes < BYTES_PER_STEP; ) {
        if (current === undefined) {
          const next = rest.next();
          if (next.done === true) {
            isDone = true;
            break;
          }
          current = parts(state, next.value)[Symbol.iterator]();
        }
        const part = current.next();
        if (part.done === true) {
          if (unfinished.length > 0) {
            writer.tag(fieldNumber, WireType.LengthDelimited).bytes(concatenated(unfinished));
            totalBytes += ENTRY_BYTES;
          }
          unfinished = [];
          current = undefined;
          entries += 1;
        } else {
          const bytes = toBinary(entry, create(entry, part.value));
          unfinished.push(bytes);
          stepBytes += bytes.length;
          totalBytes += bytes.length;
        }
      }
      const step = writer.finish();
      steps.push(step);
      requireAnswerBytes(totalBytes, maxBytes);
    });
  }
  return { fieldNumber, bytes: concatenated(steps) };
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}

/** The message with a list in it. A long list stays encoded: it is written into the message's bytes as it is, and missing in its JSON. */
export function withList<Desc extends DescMessage>(
  schema: Desc,
  rest: MessageInitShape<Desc>,
  { fieldNumber, bytes }: EncodedList,
): MessageShape<Desc> {
  const message = create(schema, rest);
  if (bytes.length <= MAX_SHORT_BYTES) {
    return mergeFromBinary(schema, message, bytes);
  }
  // The writer puts the tag of an unknown field before its data, so the first entry comes without its tag.
  const encoded = { no: fieldNumber, wireType: WireType.LengthDelimited, data: bytes.subarray(1) };
  message.$unknown = [...(message.$unknown ?? []), encoded];
  return message;
}

/** For callers that want JSON: their messages get the lists that are encoded. */
export const listsInJson: Interceptor = (next) => async (request) => {
  const response = await next(request);
  if (request.header.get('content-type')?.includes('json') !== true) {
    return response;
  }
  const { output } = response.method;
  if (!response.stream) {
    return { ...response, message: decoded(output, response.message) };
  }
  return { ...response, message: decodedStream(output, response.message) };
};

async function* decodedStream(schema: DescMessage, messages: AsyncIterable<Message>): AsyncIterable<Message> {
  for await (const message of messages) {
    yield decoded(schema, message);
  }
}

function decoded(schema: DescMessage, message: Message): Message {
  const bytes = toBinary(schema, message);
  requireRoomForJson(bytes.length);
  return fromBinary(schema, bytes);
}

function requireRoomForJson(bytes: number): void {
  if (bytes > MAX_JSON_BYTES) {
    throw new ConnectError(
      `the answer has ${bytes} bytes, and at most ${MAX_JSON_BYTES} are sent as JSON: call with application/proto, or ask for fewer at a time`,
      Code.ResourceExhausted,
    );
  }
}
