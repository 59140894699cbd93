import { Code, type ConnectError } from '@connectrpc/connect';
import { type ClusterState, createState } from '@penstock/metadata-core';
import { expect, test } from 'vitest';
import { answerInSteps, MAX_ANSWER_BYTES } from './answer-in-steps.ts';

class Stage {
  turns = 0;
  answered = 0;
  readonly owner = {
    read: async <Answer>(question: (state: ClusterState) => Answer): Promise<Answer> => question(createState('test')),
  };

  readonly turn = (): undefined => {
    this.turns += 1;
  };
}

test('answers many items in order and lets others take turns', async () => {
  const stage = new Stage();
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  expect(await answerInSteps(stage, items, (_, item) => item * 2)).toEqual(items.map((item) => item * 2));
  expect(stage.turns).toBe(9);
  expect(await answerInSteps(stage, [], () => 0)).toEqual([]);
  expect(stage.turns).toBe(9);
});

test('answers one large item once, however often it is listed', async () => {
  const stage = new Stage();
  const items = Array.from({ length: 100_000 }, () => 'group');
  const large = 1024 * 1024;
  const answering = answerInSteps(
    stage,
    items,
    () => {
      stage.answered += 1;
    },
    () => large,
  );
  await expect(answering).rejects.toSatisfy((error: ConnectError) => error.code === Code.ResourceExhausted);
  expect(stage.answered).toBeLessThanOrEqual(MAX_ANSWER_BYTES / large + 1);
  expect(stage.turns).toBeGreaterThan(10);
});
