import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { failPoint, withFailPoints } from './fail-point.ts';

async function twoSteps(): Promise<string> {
  await failPoint('first');
  await setImmediate();
  await failPoint('second');
  return 'done';
}

test('does nothing where no test has armed it', async () => {
  await expect(twoSteps()).resolves.toBe('done');
});

test('stops only the work that it was armed for', async () => {
  const passed: string[] = [];
  const stopped = withFailPoints(async (name) => {
    passed.push(name);
    if (name === 'second') {
      throw new Error('stopped');
    }
  }, twoSteps);
  const [one, other] = await Promise.allSettled([stopped, twoSteps()]);
  expect([one.status, other.status]).toEqual(['rejected', 'fulfilled']);
  expect(passed).toEqual(['first', 'second']);
});
