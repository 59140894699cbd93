import { expect, test } from 'vitest';
import { budgetsVariable } from './budget-settings.ts';
import {
  type Budget,
  type BudgetCaller,
  CallBudgets,
  DEFAULT_BUDGET,
  expectedBatches,
  trialBudgetOf,
} from './call-budgets.ts';

const BUDGET: Budget = { calls: 200, commits: 50, batches: 1_000 };
const TRIAL = trialBudgetOf(BUDGET);
const BURST_S = 2;

function callerOf(clusterId: string, keyId: string, organizationId = 'org', isPaying = true): BudgetCaller {
  return { clusterId, keyId, organizationId, isPaying };
}

class Stage {
  nowMs = 0;
  readonly budgets: CallBudgets;

  constructor(clusters: [string, Budget][] = []) {
    this.budgets = new CallBudgets({ default: BUDGET, trial: TRIAL, clusters: new Map(clusters) }, () => this.nowMs);
  }

  /** How many of so many calls are admitted. */
  admitted(calls: number, keyId = 'key', clusterId = 'cluster', method = 'Locate'): number {
    let admitted = 0;
    for (let call = 0; call < calls; call += 1) {
      admitted += this.budgets.admit(callerOf(clusterId, keyId), method) === 0 ? 1 : 0;
    }
    return admitted;
  }
}

test('a flooding key leaves a fifth to its cluster’s other keys', () => {
  const stage = new Stage();
  expect(stage.admitted(10_000, 'leaked')).toBe(BUDGET.calls * BURST_S * 0.8);
  expect(stage.admitted(10_000, 'other')).toBe(BUDGET.calls * BURST_S * 0.2);
});

test('a flooding cluster leaves the budgets of others alone', () => {
  const stage = new Stage();
  stage.admitted(10_000);
  expect(stage.admitted(100, 'another key', 'another cluster')).toBe(100);
});

test('a refused call is admitted after the delay it was given', () => {
  const stage = new Stage();
  stage.admitted(10_000);
  const waitMs = stage.budgets.admit(callerOf('cluster', 'key'), 'Locate');
  expect(waitMs).toBeGreaterThan(0);
  stage.nowMs += waitMs;
  expect(stage.admitted(1)).toBe(1);
});

test('a flood of other calls never blocks heartbeats', () => {
  const stage = new Stage();
  stage.admitted(10_000);
  expect(stage.admitted(20, 'key', 'cluster', 'AgentHeartbeat')).toBe(20);
});

test('a large commit is charged afterwards and delays only commits', () => {
  const stage = new Stage();
  const caller = callerOf('cluster', 'key');
  expect(stage.budgets.admit(caller, 'CommitFile')).toBe(0);
  stage.budgets.chargeBatches(caller, 10_000);
  // The key's share is 1,600 at once and 800 per second.
  expect(stage.budgets.admit(caller, 'CommitFile')).toBe(10_500);
  expect(stage.admitted(1)).toBe(1);
  stage.nowMs += 10_501;
  expect(stage.budgets.admit(caller, 'CommitFile')).toBe(0);
});

// So only those within the budget are admitted.
test('concurrent commits are charged before they are read', () => {
  const stage = new Stage();
  const caller = callerOf('cluster', 'key');
  const admitted = Array.from({ length: 30 }, () => stage.budgets.admit(caller, 'CommitFile', 500)).filter(
    (waitMs) => waitMs === 0,
  );
  // 1,600 are left for the key: three commits, and one more that goes into debt.
  expect(admitted).toHaveLength(4);
});

test('a commit with fewer batches than expected gets a refund', () => {
  const stage = new Stage();
  const caller = callerOf('cluster', 'key');
  expect(stage.budgets.admit(caller, 'CommitFile', 5_000)).toBe(0);
  expect(stage.budgets.admit(caller, 'CommitFile', 1)).toBeGreaterThan(0);
  stage.budgets.chargeBatches(caller, 300 - 5_000);
  expect(stage.budgets.admit(caller, 'CommitFile', 1)).toBe(0);
});

test('a commit’s batches are estimated from its length', () => {
  expect(expectedBatches('6000')).toBe(300);
  expect(expectedBatches('0')).toBe(0);
  expect(expectedBatches('40000000')).toBe(50_000);
  expect(expectedBatches(null)).toBe(1_000);
  expect(expectedBatches('many')).toBe(1_000);
});

test('a cluster can have budgets of its own', () => {
  const stage = new Stage([['large', { ...BUDGET, calls: 1_000 }]]);
  expect(stage.admitted(10_000, 'key', 'large')).toBe(1_000 * BURST_S * 0.8);
});

test('budgets are read from JSON and default where omitted', () => {
  const clusterId = '0199C0DE-0000-7000-8000-000000000001';
  const text = JSON.stringify({ default: { calls: 7 }, clusters: { [clusterId]: { batches: 9 } } });
  const settings = budgetsVariable.parse(text);
  expect(settings.default).toEqual({ ...DEFAULT_BUDGET, calls: 7 });
  expect(settings.clusters.get(clusterId.toLowerCase())).toEqual({ ...DEFAULT_BUDGET, calls: 7, batches: 9 });
  expect(budgetsVariable.parse(undefined)).toEqual({
    default: DEFAULT_BUDGET,
    trial: trialBudgetOf(DEFAULT_BUDGET),
    clusters: new Map(),
  });
  for (const wrong of ['', 'x', '[]', '{"default":{"call":1}}', '{"default":{"calls":0}}', '{"clusters":{"x":{}}}']) {
    expect(budgetsVariable.safeParse(wrong).success, wrong).toBe(false);
  }
});

test('the defaults are twice what a 1 GiB/s cluster needs', () => {
  const MIB = 2 ** 20;
  const filesPerSecond = Math.max((1_024 * MIB) / (8 * MIB), 100 * (1_000 / 250));
  const batchesPerSecond = (1_024 * MIB) / (16 * 1_024);
  expect(DEFAULT_BUDGET.commits).toBeGreaterThanOrEqual(filesPerSecond * 2);
  expect(DEFAULT_BUDGET.batches).toBeGreaterThanOrEqual(batchesPerSecond * 2);
});

test('clusters of a non-paying organization share a small budget', () => {
  const stage = new Stage();
  let admitted = 0;
  for (let call = 0; call < 1_000; call += 1) {
    const caller = callerOf(`cluster ${call % 50}`, `key ${call % 50}`, 'free', false);
    admitted += stage.budgets.admit(caller, 'Locate') === 0 ? 1 : 0;
  }
  expect(admitted).toBe(TRIAL.calls * BURST_S);
  expect(stage.admitted(10)).toBe(10);
});

test('non-paying organizations together get one customer’s budget', () => {
  const stage = new Stage();
  let admitted = 0;
  for (let call = 0; call < 10_000; call += 1) {
    const caller = callerOf(`cluster ${call % 100}`, `key ${call % 100}`, `org ${call % 100}`, false);
    admitted += stage.budgets.admit(caller, 'Locate') === 0 ? 1 : 0;
  }
  expect(admitted).toBe(BUDGET.calls * BURST_S);
  // They do not count as dead for that, and the customer is served.
  expect(stage.budgets.admit(callerOf('cluster 1', 'key 1', 'org 1', false), 'AgentHeartbeat')).toBe(0);
  expect(stage.admitted(10)).toBe(10);
});
