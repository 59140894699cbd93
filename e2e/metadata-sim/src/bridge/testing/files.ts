// Requests of an agent, for tests.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MetadataService } from '@penstock/metadata-protocol';

export const AGENT_ID = 'agent-a';
const BATCH_BYTES = 161;

/** A UUIDv7 that was made at a time. */
export function fileId(number: number, madeMs: number): Uint8Array {
  const id = Buffer.alloc(16, number);
  id.writeUIntBE(madeMs, 0, 6);
  id.writeUInt8(0x70, 6);
  id.writeUInt8(0x80, 8);
  return id;
}

export const REGISTRATION: MessageInitShape<typeof MetadataService.method.registerAgent.input> = {
  agentId: AGENT_ID,
  zone: 'zone-a',
  version: '1.0.0',
  advertisedHost: 'agent-a.example',
  advertisedPort: 9_092,
  bucket: 's3://bucket',
};

/** A file with one run of one batch of records in one partition. */
export function fileOf(
  id: Uint8Array,
  topicId: Uint8Array,
  records: number,
  timestampMs: number,
  producer?: readonly [id: number, epoch: number, sequence: number],
): MessageInitShape<typeof MetadataService.method.commitFile.input> {
  return {
    agentId: AGENT_ID,
    fileId: id,
    fileBytes: BigInt(BATCH_BYTES),
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: [0n],
    runBatches: [1],
    batchBytes: [BATCH_BYTES],
    batchRecords: [records],
    batchMaxTimestampMs: [BigInt(timestampMs)],
    batchUncompressedBytes: [BigInt(2 * BATCH_BYTES)],
    ...(producer !== undefined && {
      batchProducerId: [BigInt(producer[0])],
      batchProducerEpoch: [producer[1]],
      batchBaseSequence: [producer[2]],
    }),
  };
}
