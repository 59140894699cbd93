import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ConsumerGroupHeartbeatRequestSchema, ReportTelemetryRequestSchema } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { parseInSteps } from './parse-message.ts';

const NO_LIMIT = { maxValues: Number.POSITIVE_INFINITY };

async function parsed(schema: Parameters<typeof parseInSteps>[0], bytes: Uint8Array) {
  let turns = 0;
  const message = await parseInSteps(schema, bytes, NO_LIMIT, () => {
    turns += 1;
    return undefined;
  });
  return { message, turns };
}

test('decodes a long nested list in steps to the same message', async () => {
  const bytes = toBinary(
    ConsumerGroupHeartbeatRequestSchema,
    create(ConsumerGroupHeartbeatRequestSchema, {
      groupId: 'group',
      subscribedTopicNames: { names: Array.from({ length: 20_000 }, (_, index) => `topic-${index}`) },
      topicPartitions: {
        topics: [
          { topicId: new Uint8Array(16).fill(7), partitions: Array.from({ length: 50_000 }, (_, index) => index) },
          { topicId: new Uint8Array(16).fill(8), partitions: [1] },
        ],
      },
    }),
  );
  const { message, turns } = await parsed(ConsumerGroupHeartbeatRequestSchema, bytes);
  expect(message).toEqual(fromBinary(ConsumerGroupHeartbeatRequestSchema, bytes));
  expect(turns).toBeGreaterThan(bytes.length / (17 * 1024));
});

test('long entries of a list keep their order', async () => {
  const errors = (code: number) =>
    Array.from({ length: 10_000 }, (_, index) => ({ apiKey: index, errorCode: code, errors: 1n }));
  const bytes = toBinary(
    ReportTelemetryRequestSchema,
    create(ReportTelemetryRequestSchema, {
      agentId: 'agent',
      reports: [{ sequence: 1n, errors: errors(1) }, { sequence: 2n }, { sequence: 3n, errors: errors(3) }],
    }),
  );
  const { message } = await parsed(ReportTelemetryRequestSchema, bytes);
  expect(message).toEqual(fromBinary(ReportTelemetryRequestSchema, bytes));
});

test('a message that comes twice is merged, as protobuf asks', async () => {
  const half = (name: string) =>
    toBinary(
      ConsumerGroupHeartbeatRequestSchema,
      create(ConsumerGroupHeartbeatRequestSchema, {
        subscribedTopicNames: { names: Array.from({ length: 5_000 }, () => name) },
      }),
    );
  const bytes = Buffer.concat([half('first'), half('second')]);
  const { message } = await parsed(ConsumerGroupHeartbeatRequestSchema, bytes);
  expect(message).toEqual(fromBinary(ConsumerGroupHeartbeatRequestSchema, bytes));
});
