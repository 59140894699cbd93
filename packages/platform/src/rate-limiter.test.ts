import { describe, expect, it } from 'vitest';
import { describeSharedBudget } from './contract/shared-budget-contract.ts';
import { type Loan, RateLimiter, type SharedBudget } from './rate-limiter.ts';

describe('the rate limit', () => {
  it('allows a caller its quota in each window', async () => {
    const limiter = new RateLimiter('tco', 2, 60_000);
    expect((await limiter.take('a', 0)).headers['RateLimit']).toBe('"tco";r=1;t=60');
    expect((await limiter.take('a', 1_000)).allowed).toBe(true);
    const refused = await limiter.take('a', 2_000);
    expect(refused.allowed).toBe(false);
    expect(refused.headers['Retry-After']).toBe('58');
    expect((await limiter.take('b', 2_000)).allowed).toBe(true);
    expect((await limiter.take('a', 60_000)).allowed).toBe(true);
  });

  // The others share counts.
  it('keeps its callers’ counts in a flood of others', async () => {
    const limiter = new RateLimiter('tco', 1, 60_000, { maxCallers: 3 });
    for (const caller of ['a', 'b', 'c', 'd']) {
      expect((await limiter.take(caller, 0)).allowed).toBe(true);
    }
    const flood = Array.from({ length: 20_000 }, (_, index) => `flood-${index}`);
    const verdicts = await Promise.all(flood.map((caller) => limiter.take(caller, 1)));
    // A bounded number of counts, each with its quota of one.
    expect(verdicts.filter(({ allowed }) => allowed).length).toBeLessThanOrEqual(1_024);
    expect((await limiter.take('a', 2)).allowed).toBe(false);
    expect((await limiter.take('d', 2)).allowed).toBe(false);
    // A window later there is room again.
    expect((await limiter.take('e', 60_002)).allowed).toBe(true);
  });

  it('says when a quota is used up, without counting', async () => {
    const limiter = new RateLimiter('tco', 1, 60_000);
    expect(limiter.exhausted('a', 0)).toBeUndefined();
    await limiter.take('a', 0);
    expect(limiter.exhausted('a', 1)?.headers['Retry-After']).toBe('60');
    expect(limiter.exhausted('a', 60_000)).toBeUndefined();
  });
});

/** A budget in memory, for one caller. Counts how often it is asked. */
class MemoryBudget implements SharedBudget {
  asked = 0;
  taken = 0;

  borrow({ quota, spent, wanted }: Parameters<SharedBudget['borrow']>[0]): Promise<Loan> {
    this.asked += 1;
    this.taken += spent;
    const granted = Math.max(0, Math.min(wanted, quota - this.taken));
    this.taken += granted;
    return Promise.resolve({ granted, taken: this.taken, leftMs: 30_000 });
  }
}

describeSharedBudget('in memory', () => new MemoryBudget());

async function allowedOf(limiters: readonly RateLimiter[], calls: number): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: calls }, (_, at) => limiters[at % limiters.length]?.take('a', at)),
  );
  return verdicts.filter((verdict) => verdict?.allowed).length;
}

describe('processes that share a budget', () => {
  it('exceed the quota by at most a twentieth per process', async () => {
    const shared = new MemoryBudget();
    const limiters = [0, 1, 2].map(() => new RateLimiter('api', 200, 60_000, { shared }));
    const allowed = await allowedOf(limiters, 900);
    expect(allowed).toBeGreaterThanOrEqual(200);
    expect(allowed).toBeLessThanOrEqual(200 + 2 * 10);
  });

  // Once per slice and after the end.
  it('ask only for callers beyond a twentieth of the quota', async () => {
    const shared = new MemoryBudget();
    const limiter = new RateLimiter('api', 200, 60_000, { shared });
    expect(await allowedOf([limiter], 10)).toBe(10);
    expect(shared.asked).toBe(0);
    expect(await allowedOf([limiter], 500)).toBe(190);
    expect(shared.asked).toBe(20);
    expect((await limiter.take('a', 500)).headers).toMatchObject({ RateLimit: '"api";r=0;t=30', 'Retry-After': '30' });
    expect(shared.asked).toBe(20);
  });

  it('count exactly if the quota is too small for slices', async () => {
    const shared = new MemoryBudget();
    const limiters = [0, 1].map(() => new RateLimiter('api', 3, 60_000, { shared }));
    expect(await allowedOf(limiters, 20)).toBe(3);
  });

  it('use their own quota while the budget fails, and report it', async () => {
    const problems: unknown[] = [];
    const shared = { borrow: () => Promise.reject(new Error('no database')) };
    const limiter = new RateLimiter('api', 100, 60_000, { shared, onProblem: (error) => problems.push(error) });
    expect(await allowedOf([limiter], 300)).toBe(100);
    expect(problems).toHaveLength(1);
  });
});
