import { Code, type ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { CallBudgets } from './call-budgets.ts';
import { OverBudget } from './over-budget.ts';

const caller = { clusterId: 'cluster', keyId: 'key' };

function stage() {
  const clock = new ManualClock();
  const settings = { default: { calls: 10, commits: 10, batches: 10 }, clusters: new Map() };
  const door = new OverBudget(new CallBudgets(settings, () => clock.monotonicMs()), clock);
  return { clock, call: (): Promise<void> => door.requireBudget(caller, 'Locate') };
}

test('a refusal says when to try again, and a caller in a loop waits that long for it', async () => {
  const { clock, call } = stage();
  const answers: string[] = [];
  const loop = async (): Promise<ConnectError> => {
    for (;;) {
      try {
        await call();
        answers.push('admitted');
      } catch (error) {
        return error as ConnectError;
      }
    }
  };
  let refusal: ConnectError | undefined;
  void loop().then((error) => {
    refusal = error;
  });
  await clock.advance(0);
  expect(answers).toHaveLength(16);
  expect(refusal).toBe(undefined);
  await clock.advance(1_000);
  expect(refusal?.code).toBe(Code.ResourceExhausted);
  expect(refusal?.metadata.get('retry-after')).toBe('1');
});

test('refusals that are held are bounded: further ones are sent at once', async () => {
  const { clock, call } = stage();
  let refused = 0;
  const calls = Array.from({ length: 2_000 }, () => call().catch(() => (refused += 1)));
  await clock.advance(0);
  expect(refused).toBe(2_000 - 16 - 1_000);
  await clock.advance(2_000);
  await Promise.all(calls);
  expect(refused).toBe(1_984);
});

test('refusals that are held are sent one at a time, so the calls that follow them do not arrive all at once', async () => {
  const { clock, call } = stage();
  let refused = 0;
  const calls = Array.from({ length: 500 }, () => call().catch(() => (refused += 1)));
  let mostAtOnce = 0;
  for (let ms = 0; ms < 1_500; ms += 1) {
    const before = refused;
    await clock.advance(1);
    mostAtOnce = Math.max(mostAtOnce, refused - before);
  }
  await Promise.all(calls);
  expect(refused).toBe(500 - 16);
  expect(mostAtOnce).toBe(1);
});
