import { readFileSync } from 'node:fs';
import { create, fromBinary, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CommitFileRequest,
  CommitFileRequestSchema,
  CommitFileResponseSchema,
} from '../gen/penstock/metadata/v1/metadata_pb.js';
import { type CommitFileColumns, decodeCommitFileColumns } from './request-columns.ts';
import { encodeCommitFileResults } from './response-bytes.ts';

interface Vector {
  name: string;
  message: string;
  json: JsonValue;
  hex: string;
}

const vectors: Vector[] = JSON.parse(readFileSync(new URL('../../vectors/messages.json', import.meta.url), 'utf8'));

/** The result of the generated decoder for the same bytes, with its columns as numbers. */
function generated(bytes: Uint8Array): CommitFileColumns {
  const request = fromBinary(CommitFileRequestSchema, bytes);
  return {
    fileId: request.fileId,
    fileBytes: Number(request.fileBytes),
    topicIds: request.topicIds,
    runTopic: Uint32Array.from(request.runTopic),
    runPartition: Uint32Array.from(request.runPartition),
    runPosition: Float64Array.from(request.runPosition, Number),
    runBatches: Uint32Array.from(request.runBatches),
    batchBytes: Uint32Array.from(request.batchBytes),
    batchRecords: Uint32Array.from(request.batchRecords),
    batchMaxTimestampMs: Float64Array.from(request.batchMaxTimestampMs, Number),
    batchUncompressedBytes: Float64Array.from(request.batchUncompressedBytes, Number),
    batchProducerId: Float64Array.from(request.batchProducerId, Number),
    batchProducerEpoch: Int32Array.from(request.batchProducerEpoch),
    batchBaseSequence: Int32Array.from(request.batchBaseSequence),
    agentId: request.agentId,
    batchTransaction: Uint32Array.from(request.batchTransaction),
    transactions: request.transactions.map(({ transactionalId, addsPartitions }) => ({
      transactionalId,
      addsPartitions,
    })),
  };
}

const uint32 = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 0xffffffff }));
const int32 = fc.oneof(fc.integer({ min: -2, max: 300 }), fc.integer());
const uint53 = fc.oneof(fc.nat(300), fc.maxSafeNat()).map(BigInt);
const sint53 = fc
  .oneof(fc.integer({ min: -2, max: 300 }), fc.bigInt({ min: -(2n ** 53n - 1n), max: 2n ** 53n - 1n }))
  .map(BigInt);
const ascii = fc.string({ unit: 'binary-ascii', maxLength: 127 });
const transaction = fc.record({ transactionalId: ascii, addsPartitions: fc.boolean() });

function requestOf(runs: number, batches: number) {
  const column = <Value>(value: fc.Arbitrary<Value>, length: number): fc.Arbitrary<Value[]> =>
    fc.oneof(
      { weight: 9, arbitrary: fc.array(value, { minLength: length, maxLength: length }) },
      { weight: 1, arbitrary: fc.constant<Value[]>([]) },
    );
  return fc.record({
    fileId: fc.uint8Array({ maxLength: 20 }),
    fileBytes: uint53,
    topicIds: fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 4 }),
    runTopic: fc.array(uint32, { minLength: runs, maxLength: runs }),
    runPartition: column(uint32, runs),
    runPosition: column(uint53, runs),
    runBatches: column(uint32, runs),
    batchBytes: fc.array(uint32, { minLength: batches, maxLength: batches }),
    batchRecords: column(uint32, batches),
    batchMaxTimestampMs: column(sint53, batches),
    batchUncompressedBytes: column(uint53, batches),
    batchProducerId: fc.array(sint53, { minLength: batches, maxLength: batches }),
    batchProducerEpoch: column(int32, batches),
    batchBaseSequence: column(int32, batches),
    agentId: fc.uuid(),
    batchTransaction: column(uint32, batches),
    transactions: fc.array(transaction, { maxLength: 4 }),
  });
}

const request = fc
  .tuple(fc.nat(40), fc.nat(40))
  .chain(([runs, batches]) => requestOf(runs, batches))
  .map((fields) => create(CommitFileRequestSchema, fields));

function encoded(message: CommitFileRequest): Uint8Array {
  return toBinary(CommitFileRequestSchema, message);
}

describe('columns of a CommitFileRequest', () => {
  test.each(vectors.filter(({ message }) => message === 'CommitFileRequest'))(
    'of the shared vector: $name',
    ({ hex }) => {
      const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
      expect(decodeCommitFileColumns(bytes)).toEqual(generated(bytes));
    },
  );

  test('match the generated decoder within 53 bits', () => {
    fc.assert(
      fc.property(request, (message) => {
        const bytes = encoded(message);
        expect(decodeCommitFileColumns(bytes)).toEqual(generated(bytes));
      }),
    );
  });

  // Nor differ from it.
  test('never accept what the generated decoder refuses', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
    const damaged = fc.tuple(request, damage, fc.nat()).map(([message, changes, cut]) => {
      const bytes = encoded(message);
      for (const [at, value] of changes) {
        bytes[at % Math.max(1, bytes.length)] = value;
      }
      return cut % 3 === 0 ? bytes.subarray(0, cut % Math.max(1, bytes.length)) : bytes;
    });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 40 })), (bytes) => {
        const columns = decodeCommitFileColumns(bytes);
        if (columns !== undefined) {
          expect(columns).toEqual(generated(bytes));
        }
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    { what: 'a value beyond 53 bits', fields: { runPosition: [2n ** 53n] } },
    { what: 'a timestamp beyond 53 bits', fields: { batchMaxTimestampMs: [-(2n ** 53n)] } },
    { what: 'an agent id beyond ASCII', fields: { agentId: 'é' } },
    { what: 'a transactional id beyond ASCII', fields: { transactions: [{ transactionalId: 'é' }] } },
    { what: 'a long transactional id', fields: { transactions: [{ transactionalId: 'i'.repeat(128) }] } },
    { what: 'a column of transactions without batches', fields: { batchTransaction: [1] } },
    { what: 'a column that is shorter than the first', fields: { batchBytes: [1, 2], batchRecords: [1] } },
    { what: 'a column that is longer than the first', fields: { runTopic: [1], runPartition: [1, 2] } },
  ])('$what is left to the generated decoder', ({ fields }) => {
    expect(decodeCommitFileColumns(encoded(create(CommitFileRequestSchema, fields)))).toBeUndefined();
  });

  test.each([
    { what: 'an unpacked column', hex: '2001' },
    { what: 'a field twice', hex: '10011002' },
    { what: 'fields out of order', hex: '10010a0101' },
    { what: 'an unknown field', hex: '920100' },
    { what: 'a tag of three bytes', hex: '8a810000' },
    { what: 'a transaction with fields out of order', hex: '8a010510010a0141' },
    { what: 'a transaction that says false', hex: '8a01021000' },
    { what: 'a length beyond the message', hex: '22ffffffff0f' },
    { what: 'a cut length', hex: '22ff' },
    { what: 'a cut value', hex: '1080' },
    { what: 'a column that ends within a value', hex: '220180' },
    { what: 'a varint of eleven bytes', hex: '220b8080808080808080808000' },
  ])('$what is left to the generated decoder', ({ hex }) => {
    expect(decodeCommitFileColumns(Buffer.from(hex, 'hex'))).toBeUndefined();
  });

  test('do not keep the memory of the message alive', () => {
    const bytes = encoded(
      create(CommitFileRequestSchema, { fileId: new Uint8Array(16), topicIds: [new Uint8Array(16)] }),
    );
    const columns = decodeCommitFileColumns(bytes);
    expect(columns?.fileId.buffer.byteLength).toBe(16);
    expect(columns?.topicIds[0]?.buffer.byteLength).toBe(16);
  });
});

describe('the bytes of a CommitFileResponse', () => {
  const offsets = fc.array(fc.oneof(fc.integer({ min: -1, max: 300 }), fc.maxSafeInteger()));

  test('match the generated encoder', () => {
    fc.assert(
      fc.property(offsets, fc.array(int32), offsets, (batchBaseOffset, batchErrorCode, runLogStartOffset) => {
        const bytes = encodeCommitFileResults({
          batchBaseOffset: Float64Array.from(batchBaseOffset),
          batchErrorCode: Int32Array.from(batchErrorCode),
          runLogStartOffset: Float64Array.from(runLogStartOffset),
        });
        const message = create(CommitFileResponseSchema, {
          batchBaseOffset: batchBaseOffset.map(BigInt),
          batchErrorCode,
          runLogStartOffset: runLogStartOffset.map(BigInt),
        });
        expect(Buffer.from(bytes)).toEqual(Buffer.from(toBinary(CommitFileResponseSchema, message)));
      }),
    );
  });

  test.each(vectors.filter(({ message }) => message === 'CommitFileResponse'))(
    'of the shared vector: $name',
    ({ json, hex }) => {
      const response = fromJson(CommitFileResponseSchema, json);
      // This encoder does not handle a commit that was refused as a whole.
      if (response.errorCode === 0) {
        const bytes = encodeCommitFileResults({
          batchBaseOffset: Float64Array.from(response.batchBaseOffset, Number),
          batchErrorCode: Int32Array.from(response.batchErrorCode),
          runLogStartOffset: Float64Array.from(response.runLogStartOffset, Number),
        });
        expect(Buffer.from(bytes).toString('hex')).toBe(hex);
      }
    },
  );
});
