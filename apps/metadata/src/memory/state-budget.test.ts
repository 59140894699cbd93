import { expect, test } from 'vitest';
import { MIB } from './memory-limit.ts';
import { StateBudget } from './state-budget.ts';

const yes = (): boolean => true;
const no = (): boolean => false;

function budgetOf(usedMib = 0, settings: { organizationMib?: number; trialMib?: number } = {}): StateBudget {
  return new StateBudget({ memoryMib: 1_600, ...settings, usedBytes: () => usedMib * MIB, monotonicMs: () => 0 });
}

test('an organization’s clusters share a quarter of the memory', () => {
  const budget = budgetOf();
  const [first, second, other] = [budget.open('a', yes), budget.open('a', yes), budget.open('b', yes)];
  first.set(300 * MIB);
  expect(second.refusal(100 * MIB)).toBeNull();
  expect(second.refusal(101 * MIB)).toMatch(/use 300 of 400 MiB of metadata memory\.$/);
  expect(other.refusal(400 * MIB)).toBeNull();
  first.set(10 * MIB);
  expect(second.refusal(390 * MIB)).toBeNull();
});

// And a quarter together.
test('non-paying organizations get a sixteenth each', () => {
  const budget = budgetOf();
  const trials = Array.from({ length: 5 }, (_, at) => budget.open(`trial-${at}`, no));
  expect(trials[0]?.refusal(101 * MIB)).toMatch(/use 0 of 100 MiB .* with a payment method may use more/);
  for (const trial of trials.slice(0, 4)) {
    trial.set(100 * MIB);
  }
  expect(trials[4]?.refusal(1)).toMatch(/have together/);
  expect(budget.open('paying', yes).refusal(400 * MIB)).toBeNull();
});

test('adding a payment method raises the budget at once', () => {
  let isPaying = false;
  const budget = budgetOf();
  const share = budget.open('a', () => isPaying);
  share.set(100 * MIB);
  expect(share.refusal(1)).not.toBeNull();
  isPaying = true;
  expect(share.refusal(300 * MIB)).toBeNull();
  share.set(101 * MIB);
  const trial = budget.open('b', no);
  expect(trial.refusal(100 * MIB)).toBeNull();
});

test('a cluster that closes returns its memory once', () => {
  const budget = budgetOf();
  const share = budget.open('a', no);
  share.set(50 * MIB);
  expect(budget.heldBytes).toBe(50 * MIB);
  expect(budget.largestOrganizationBytes).toBe(50 * MIB);
  share.close();
  share.close();
  share.set(50 * MIB);
  expect(budget.heldBytes).toBe(0);
  expect(budget.largestOrganizationBytes).toBe(0);
});

test('a nearly full process grows only states below an equal share', () => {
  const budget = budgetOf(1_290);
  const [large, small] = [budget.open('large', yes), budget.open('small', yes)];
  large.set(200 * MIB);
  small.set(50 * MIB);
  expect(large.refusal(1)).toMatch(/short of memory/);
  expect(small.refusal(50 * MIB)).toBeNull();
});

test('settings replace the shares', () => {
  const budget = budgetOf(0, { organizationMib: 1_000, trialMib: 500 });
  expect(budget.organizationLimitBytes).toBe(1_000 * MIB);
  expect(budget.open('t', no).refusal(500 * MIB)).toBeNull();
});
