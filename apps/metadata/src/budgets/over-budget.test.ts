import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { CallBudgets, DEFAULT_BUDGET } from './call-budgets.ts';
import { OverBudget } from './over-budget.ts';

/** A key's share is 16 at once, and 8 per second. */
const BUDGET = { calls: 10, commits: 10, batches: 10 };
const BURST = 16;
const PER_SECOND = 8;
const caller = { clusterId: 'cluster', keyId: 'key', organizationId: 'org', isPaying: true };

function stage() {
  const clock = new ManualClock();
  const budgets = new CallBudgets({ trial: DEFAULT_BUDGET, default: BUDGET, clusters: new Map() }, () =>
    clock.monotonicMs(),
  );
  const door = new OverBudget(budgets, clock);
  const tally = { admitted: 0, refused: 0 };
  const call = async (method = 'Locate', by = caller, expectedBatches = 0): Promise<ConnectError | undefined> => {
    try {
      await door.requireBudget(by, method, expectedBatches);
      tally.admitted += 1;
      return undefined;
    } catch (error) {
      tally.refused += 1;
      return ConnectError.from(error);
    }
  };
  return { clock, budgets, tally, call };
}

test('a caller in a loop is slowed to its budget, not refused', async () => {
  const { clock, tally, call } = stage();
  let isStopping = false;
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      await call();
    }
  };
  const ended = loop();
  await clock.advance(0);
  expect(tally).toEqual({ admitted: BURST, refused: 0 });
  await clock.advance(10_000);
  expect(tally.refused).toBe(0);
  expect(tally.admitted).toBeGreaterThanOrEqual(BURST + 10 * PER_SECOND - 2);
  // One call may go into debt.
  expect(tally.admitted).toBeLessThanOrEqual(BURST + 10 * PER_SECOND + 1);
  isStopping = true;
  await clock.advance(1_000);
  await ended;
});

test('a call over its budget by a second is refused with a time', async () => {
  const { clock, budgets, tally, call } = stage();
  const calls = Array.from({ length: 100 }, () => call());
  await clock.advance(999);
  expect(tally.refused).toBe(0);
  await clock.advance(1_000);
  const refusals = (await Promise.all(calls)).filter((error) => error !== undefined);
  expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set([Code.ResourceExhausted]));
  expect(new Set(refusals.map(({ metadata }) => metadata.get('retry-after')))).toEqual(new Set(['1']));
  expect(tally.admitted).toBeLessThanOrEqual(BURST + PER_SECOND + 1);
  expect(budgets.refused).toBe(tally.refused);
});

test('calls that wait are admitted in order', async () => {
  const { clock, call } = stage();
  const admitted: number[] = [];
  const calls = Array.from({ length: 22 }, (_, index) => call().then(() => admitted.push(index)));
  await clock.advance(1_000);
  await Promise.all(calls);
  expect(admitted).toEqual(Array.from({ length: 22 }, (_, index) => index));
});

test('waiting calls delay neither other keys nor heartbeats', async () => {
  const { clock, tally, call } = stage();
  const calls = Array.from({ length: 30 }, () => call());
  await clock.advance(0);
  const before = tally.admitted;
  await call('Locate', { ...caller, keyId: 'other' });
  await call('AgentHeartbeat');
  expect(tally).toEqual({ admitted: before + 2, refused: 0 });
  await clock.advance(2_000);
  await Promise.all(calls);
});

test('a commit’s refund lets the next one proceed', async () => {
  const { clock, budgets, tally, call } = stage();
  await call('CommitFile', caller, 10_000);
  const next = call('CommitFile');
  await clock.advance(100);
  expect(tally.admitted).toBe(1);
  budgets.chargeBatches(caller, 1 - 10_000);
  await clock.advance(100);
  expect(await next).toBe(undefined);
});

test('refuses calls at once when too many are waiting', async () => {
  const { clock, tally, call } = stage();
  const calls = Array.from({ length: 2_000 }, () => call());
  await clock.advance(0);
  expect(tally).toEqual({ admitted: BURST, refused: 2_000 - BURST - 1_000 });
  await clock.advance(2_100);
  await Promise.all(calls);
  expect(tally.admitted).toBeLessThanOrEqual(BURST + 2.1 * PER_SECOND + 1);
  expect(tally.admitted + tally.refused).toBe(2_000);
});

// So the calls that follow them do not arrive all at once.
test('sends refusals one at a time', async () => {
  const { clock, tally, call } = stage();
  const keys = ['key', 'other', 'third'];
  const calls = Array.from({ length: 500 }, (_, index) => call('Locate', { ...caller, keyId: keys[index % 3] ?? '' }));
  let mostAtOnce = 0;
  for (let ms = 0; ms < 1_700; ms += 1) {
    const before = tally.refused;
    await clock.advance(1);
    mostAtOnce = Math.max(mostAtOnce, tally.refused - before);
  }
  await Promise.all(calls);
  expect(tally.refused).toBeGreaterThan(400);
  expect(mostAtOnce).toBe(1);
});
