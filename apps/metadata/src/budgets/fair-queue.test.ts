import { expect, test } from 'vitest';
import { FairQueue, QueueFull } from './fair-queue.ts';
import type { WaitingLimits } from './fair-shares.ts';
import { type Share, TRIAL } from './tenants.ts';

/** `tenant/organization/cluster`; a cluster alone is that of a tenant of its own. */
function shareOfTest(name: string): Share {
  const [tenant = name, organization = name, cluster = name] = name.split('/');
  return [tenant, organization, cluster];
}

/** A queue on a clock that only work moves, and rounds that the test starts. */
class Stage {
  readonly served: string[] = [];
  readonly queue: FairQueue;
  #nowMs = 0;
  #rounds: (() => void)[] = [];

  constructor(maxWaiting?: WaitingLimits) {
    const nextRound = (run: () => void): void => void this.#rounds.push(run);
    this.queue = new FairQueue(() => this.#nowMs, { nextRound }, maxWaiting);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get hasRound(): boolean {
    return this.#rounds.length > 0;
  }

  /** A call that takes the processor for this long. */
  async call(cluster: string, costMs: number, requestBytes = 0): Promise<number> {
    await this.queue.enter(shareOfTest(cluster), requestBytes);
    this.served.push(cluster);
    this.#nowMs += costMs;
    return this.#nowMs;
  }

  async round(): Promise<void> {
    for (const run of this.#rounds.splice(0)) {
      run();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  async finish(): Promise<void> {
    while (this.hasRound) {
      await this.round();
    }
  }
}

test('a quiet cluster’s call passes a flooding cluster’s queue', async () => {
  const stage = new Stage();
  const flood = Array.from({ length: 500 }, () => stage.call('greedy', 0.5));
  await new Promise((resolve) => setImmediate(resolve));
  const sentMs = stage.nowMs;
  const answeredMs = await Promise.all([stage.call('quiet', 0.1), stage.finish()]).then(([ms]) => ms);
  // At most the call that has its turn, and its own.
  expect(answeredMs - sentMs).toBeLessThanOrEqual(0.6 + 1e-9);
  await Promise.all(flood);
});

test('flooding clusters get equal time whatever their calls cost', async () => {
  const stage = new Stage();
  const calls = [
    ...Array.from({ length: 400 }, () => stage.call('small', 0.25)),
    ...Array.from({ length: 100 }, () => stage.call('large', 1)),
  ];
  for (let round = 0; round < 10; round += 1) {
    await stage.round();
  }
  const count = (cluster: string): number => stage.served.filter((name) => name === cluster).length;
  const [small, large] = [count('small') * 0.25, count('large')];
  expect(small).toBeGreaterThan(10);
  expect(Math.abs(small - large)).toBeLessThanOrEqual(2);
  await stage.finish();
  await Promise.all(calls);
  expect(stage.served).toHaveLength(500);
});

test('an idle cluster saves up no time', async () => {
  const stage = new Stage();
  const busy = Array.from({ length: 200 }, () => stage.call('busy', 1));
  for (let round = 0; round < 20; round += 1) {
    await stage.round();
  }
  const from = stage.served.length;
  const back = Array.from({ length: 50 }, () => stage.call('back', 1));
  for (let round = 0; round < 5; round += 1) {
    await stage.round();
  }
  const share = stage.served.slice(from).filter((name) => name === 'back').length / (stage.served.length - from);
  expect(share).toBeLessThan(0.6);
  await stage.finish();
  await Promise.all([...busy, ...back]);
});

test('a lone cluster is served in order without waiting', async () => {
  const stage = new Stage();
  expect(stage.queue.enter(shareOfTest('a'))).toBe(undefined);
  const order: number[] = [];
  const calls = Array.from({ length: 50 }, (_, number) => stage.call('a', 1).then(() => order.push(number)));
  await stage.finish();
  await Promise.all(calls);
  expect(order).toEqual(Array.from({ length: 50 }, (_, number) => number));
  expect(stage.queue.size).toBe(0);
});

test('bounds the queue of one cluster without refusing others', async () => {
  const stage = new Stage([100, 100, 10]);
  expect(stage.queue.enter(shareOfTest('greedy'))).toBe(undefined);
  const waiting = Array.from({ length: 10 }, () => stage.call('greedy', 0.1));
  expect(() => stage.queue.enter(shareOfTest('greedy'))).toThrow(QueueFull);
  waiting.push(stage.call('quiet', 0.1));
  await stage.finish();
  await Promise.all(waiting);
  expect(stage.queue.size).toBe(0);
});

test('non-paying organizations together get one customer’s time', async () => {
  const stage = new Stage();
  const calls: Promise<number>[] = [];
  for (let organization = 0; organization < 20; organization += 1) {
    for (let cluster = 0; cluster < 20; cluster += 1) {
      calls.push(stage.call(`${TRIAL}/o${organization}/o${organization}c${cluster}`, 1));
    }
  }
  for (let call = 0; call < 50; call += 1) {
    calls.push(stage.call('paying', 1));
  }
  await new Promise((resolve) => setImmediate(resolve));
  for (let round = 0; round < 20; round += 1) {
    await stage.round();
  }
  const paying = stage.served.filter((name) => name === 'paying').length;
  expect(Math.abs(paying - stage.served.length / 2)).toBeLessThanOrEqual(2);
  // And among those, every organization has had its turns.
  const perOrganization = Array.from(
    { length: 20 },
    (_, organization) => stage.served.filter((name) => name.startsWith(`${TRIAL}/o${organization}/`)).length,
  );
  expect(Math.max(...perOrganization) - Math.min(...perOrganization)).toBeLessThanOrEqual(1);
  await stage.finish();
  await Promise.all(calls);
});

test('more clusters give an organization no more time', async () => {
  const stage = new Stage();
  const many = Array.from({ length: 200 }, (_, cluster) => stage.call(`many/many/c${cluster}`, 1));
  const one = Array.from({ length: 50 }, () => stage.call('one', 1));
  for (let round = 0; round < 10; round += 1) {
    await stage.round();
  }
  const share = stage.served.filter((name) => name === 'one').length / stage.served.length;
  expect(share).toBeGreaterThan(0.45);
  await stage.finish();
  await Promise.all([...many, ...one]);
});

test('request bytes count like time', async () => {
  const stage = new Stage();
  const mib = 1024 * 1024;
  // Each costs what two calls of the other cost.
  const large = Array.from({ length: 100 }, () => stage.call('large', 0.5, mib / 4));
  const small = Array.from({ length: 100 }, () => stage.call('small', 0.5));
  for (let round = 0; round < 10; round += 1) {
    await stage.round();
  }
  const count = (name: string): number => stage.served.filter((served) => served === name).length;
  expect(count('small')).toBeGreaterThan(10);
  expect(Math.abs(count('small') - 2 * count('large'))).toBeLessThanOrEqual(4);
  await stage.finish();
  await Promise.all([...large, ...small]);
});
