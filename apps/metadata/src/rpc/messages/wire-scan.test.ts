import { create, fromBinary, mergeFromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CompleteJobRequestSchema,
  ConsumerGroupHeartbeatRequestSchema,
  CreateTopicsRequestSchema,
  LocateRequestSchema,
} from '@penstock/metadata-protocol';
import { describe, expect, test } from 'vitest';
import { countValues, piecesOf } from './wire-scan.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

describe('the values of a message', () => {
  test('are its fields, entries and packed numbers at any depth', () => {
    const topics = [{ name: 'a', partitions: 3, configs: [{ name: 'x', value: 'y' }] }, { name: 'b' }];
    const bytes = toBinary(
      CreateTopicsRequestSchema,
      create(CreateTopicsRequestSchema, { topics, validateOnly: true }),
    );
    // Two topics; name, partitions, config with its two; name; validate_only.
    expect(countValues(CreateTopicsRequestSchema, bytes, NO_LIMIT)).toBe(2 + 3 + 2 + 1 + 1);
    const lists = { topics: [{ topicId: new Uint8Array(16), partitions: [0, 1, 300, -1] }] };
    const owned = toBinary(
      ConsumerGroupHeartbeatRequestSchema,
      create(ConsumerGroupHeartbeatRequestSchema, { topicPartitions: lists }),
    );
    expect(countValues(ConsumerGroupHeartbeatRequestSchema, owned, NO_LIMIT)).toBe(1 + 1 + 2 + 4);
  });

  test('are counted to the limit only, however many there are', () => {
    const empties = Buffer.alloc(2_000_000);
    for (let at = 0; at < empties.length; at += 2) {
      empties[at] = 0x0a;
    }
    expect(countValues(LocateRequestSchema, empties, NO_LIMIT)).toBe(1_000_000);
    expect(countValues(LocateRequestSchema, empties, 10)).toBe(11);
  });

  test.each(['0a', '0aff', '0a05', 'ffffffffffffffffffffff', '0b', '09', '0d'])(
    'stay few for malformed bytes: %s',
    (hex) => {
      expect(countValues(LocateRequestSchema, Buffer.from(hex, 'hex'), NO_LIMIT)).toBeLessThanOrEqual(1);
    },
  );
});

describe('the pieces of a message', () => {
  function decodedInPieces(bytes: Uint8Array, maxBytes: number) {
    const message = create(CompleteJobRequestSchema);
    let pieces = 0;
    for (const piece of piecesOf(CompleteJobRequestSchema, bytes, maxBytes)) {
      const { fields } = piece as { fields: Uint8Array };
      mergeFromBinary(CompleteJobRequestSchema, message, fields);
      expect(fields.length).toBeLessThanOrEqual(maxBytes + 40);
      pieces += 1;
    }
    return { message, pieces };
  }

  test.each([16, 64, 1_000, 1_000_000])('give the same message at %i bytes each', (maxBytes) => {
    const request = create(CompleteJobRequestSchema, {
      agentId: 'agent',
      level: 2,
      topicIds: [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)],
      targetTopic: Array.from({ length: 500 }, (_, index) => index % 2),
      targetBaseOffset: Array.from({ length: 500 }, (_, index) => BigInt(index) ** 5n),
      targetMaxTimestampMs: Array.from({ length: 500 }, (_, index) => BigInt(-index)),
      compact: true,
    });
    const bytes = toBinary(CompleteJobRequestSchema, request);
    const { message, pieces } = decodedInPieces(bytes, maxBytes);
    expect(toBinary(CompleteJobRequestSchema, message)).toEqual(bytes);
    expect(pieces).toBeGreaterThanOrEqual(Math.min(bytes.length / (maxBytes + 40), 1));
  });

  test('are malformed whenever the whole is', () => {
    for (const hex of ['0aff', '0a0161ff', '0b', '4205ffffffffff']) {
      const bytes = Buffer.from(hex, 'hex');
      const whole = () => fromBinary(CompleteJobRequestSchema, bytes);
      const pieces = () => decodedInPieces(bytes, 16);
      expect(whole).toThrow();
      expect(pieces).toThrow();
    }
  });
});
