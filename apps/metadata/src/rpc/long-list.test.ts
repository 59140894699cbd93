import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code, type ConnectError } from '@connectrpc/connect';
import { type ClusterState, createState } from '@penstock/metadata-core';
import { DescribeClusterResponseSchema, TopicSchema } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { encodeInSteps, withList } from './long-list.ts';

const TOPICS = { entry: TopicSchema, fieldNumber: DescribeClusterResponseSchema.field.topics.number };

class Stage {
  turns = 0;
  largestStep = 0;
  #entries = 0;
  readonly owner = {
    read: async <Answer>(question: (state: ClusterState) => Answer): Promise<Answer> => {
      this.#entries = 0;
      return question(createState('test'));
    },
  };

  readonly turn = (): undefined => {
    this.turns += 1;
  };

  made<Entry>(entry: Entry): Entry {
    this.#entries += 1;
    this.largestStep = Math.max(this.largestStep, this.#entries);
    return entry;
  }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test.each([0, 1, 99, 100, 101, 5_000])(
  'a list of %d entries reads as if it had been encoded at once',
  async (count) => {
    const stage = new Stage();
    const topics = numbers(count).map((index) => ({ name: `topic-${index}`, partitions: index }));
    const list = await encodeInSteps(stage, TOPICS, topics, (_, topic) => [stage.made(topic)]);
    const message = withList(DescribeClusterResponseSchema, { clusterId: 'c' }, list);
    const whole = create(DescribeClusterResponseSchema, { clusterId: 'c', topics });
    const read = fromBinary(DescribeClusterResponseSchema, toBinary(DescribeClusterResponseSchema, message));
    expect(read).toEqual(whole);
    expect(stage.largestStep).toBeLessThanOrEqual(100);
    expect(stage.turns).toBeGreaterThanOrEqual(Math.ceil(count / 100) - 1);
  },
);

test('a long entry is made in parts, with turns between them', async () => {
  const stage = new Stage();
  const items = ['none', 'long', 'short'];
  const storedBytes = numbers(100_000).map(BigInt);
  const list = await encodeInSteps(stage, TOPICS, items, function* (_, name) {
    if (name === 'none') {
      return;
    }
    yield { name, partitions: 100_000 };
    for (let start = 0; name === 'long' && start < storedBytes.length; start += 1_000) {
      yield stage.made({ storedBytes: storedBytes.slice(start, start + 1_000) });
    }
  });
  expect(stage.turns).toBeGreaterThan(5);
  expect(stage.largestStep).toBeLessThan(20);
  const { topics } = fromBinary(
    DescribeClusterResponseSchema,
    toBinary(DescribeClusterResponseSchema, withList(DescribeClusterResponseSchema, {}, list)),
  );
  expect(topics.map(({ name }) => name)).toEqual(['long', 'short']);
  expect(topics[0]?.storedBytes).toEqual(storedBytes);
});

test('a list that would be too large is refused while it is made', async () => {
  const stage = new Stage();
  const name = 'x'.repeat(1_000);
  let made = 0;
  const encoding = encodeInSteps(
    stage,
    TOPICS,
    numbers(100_000),
    () => {
      made += 1;
      return [{ name }];
    },
    1_000_000,
  );
  await expect(encoding).rejects.toSatisfy((error: ConnectError) => error.code === Code.ResourceExhausted);
  expect(made).toBeLessThan(1_100);
});
