import { expect, test } from 'vitest';
import { Confirmations } from './confirmations.ts';

test('waiting calls share one question and its answer', async () => {
  const confirmations = new Confirmations();
  let told = 0;
  confirmations.subscribe(() => {
    told += 1;
  });
  const answers = [confirmations.ask(), confirmations.ask()];
  expect(confirmations.isAsked()).toBe(true);
  expect(told).toBe(1);
  confirmations.settle(true);
  expect(await Promise.all(answers)).toEqual([true, true]);
  expect(confirmations.isAsked()).toBe(false);
  const next = confirmations.ask();
  confirmations.settle(false);
  expect(await next).toBe(false);
});

test('without a dialog the refusal is final', async () => {
  expect(await new Confirmations().ask()).toBe(false);
});
