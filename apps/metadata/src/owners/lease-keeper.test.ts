import { randomUUID } from 'node:crypto';
import { type Leases, MemoryLeases } from '@penstock/metadata-journal';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeLeaseHolder } from '../contract/lease-holder-contract.ts';
import { ManualClock, settle } from '../testing/manual-clock.ts';
import { type KeptLease, LeaseKeeper } from './lease-keeper.ts';

const TTL_MS = 5_000;
const one = { ownerId: 'one', ownerUrl: 'http://one' };
const two = { ownerId: 'two', ownerUrl: 'http://two' };

let clock: ManualClock;
let leases: MemoryLeases;
let keeper: LeaseKeeper;
let clusterId: string;
let events: string[];

/** How far the database's clock is ahead: it continues whatever happens to this machine. */
let databaseAheadMs: number;

beforeEach(async () => {
  clock = new ManualClock();
  databaseAheadMs = 0;
  leases = new MemoryLeases(() => clock.monotonicMs() + databaseAheadMs);
  events = [];
  keeper = new LeaseKeeper({
    leases,
    owner: one,
    ttlMs: TTL_MS,
    clock,
    onRenewalFailed: () => events.push('renewal failed'),
    onSuspended: (forMs) => events.push(`suspended for ${forMs}`),
    onObstacle: (obstacle) => events.push(obstacle === undefined ? 'no obstacle' : 'obstacle'),
  });
  clusterId = randomUUID();
  await settle();
});

async function acquire(): Promise<KeptLease> {
  const answer = await keeper.acquire(clusterId, {
    onLost: () => events.push('lost'),
    onGiveUp: () => events.push('give up'),
  });
  if (answer.outcome !== 'acquired') {
    throw new Error(`the lease is ${answer.outcome}`);
  }
  return answer.lease;
}

/** Suspends the machine: the database's clock continues as well. */
function suspend(forMs: number): void {
  clock.suspend(forMs);
  databaseAheadMs += forMs;
}

describeLeaseHolder('keeper', {
  start: (owner) => new LeaseKeeper({ leases, owner, ttlMs: TTL_MS, clock, onRenewalFailed: () => undefined }),
  createCluster: async () => randomUUID(),
  leases: () => leases,
  ttlMs: TTL_MS,
  askToLeave: async (id) => leases.askToLeave(id),
  databaseMs: async () => clock.monotonicMs(),
  passUntil: async (isTrue) => {
    while (!isTrue()) {
      await clock.advance(TTL_MS / 3);
    }
  },
});

describe('a lease', () => {
  test('is renewed while it is held', async () => {
    const lease = await acquire();
    await clock.advance(TTL_MS * 10);
    expect(lease.isValid()).toBe(true);
    expect((await leases.acquire(clusterId, two, TTL_MS)).outcome).toBe('held-by-other');
  });

  // Although the monotonic clock stood still.
  test('is not valid after a suspension until it is confirmed', async () => {
    const lease = await acquire();
    await clock.advance(100);
    suspend(30_000);
    expect(lease.isValid()).toBe(false);
    expect(events).toEqual(['suspended for 30000']);
    await settle();
    expect(lease.isValid()).toBe(true);
    expect(keeper.nowMs()).toBe(clock.monotonicMs() + 30_000);
  });

  test('that another process acquired during a suspension is lost', async () => {
    const lease = await acquire();
    suspend(30_000);
    await leases.acquire(clusterId, two, TTL_MS * 10);
    expect(lease.isValid()).toBe(false);
    await settle();
    expect(events).toEqual(['suspended for 30000', 'lost']);
    expect(lease.isValid()).toBe(false);
  });

  test.each([
    ['the wall clock', () => clock.setBack(-TTL_MS)],
    ['the time since the start', () => clock.suspend(TTL_MS)],
  ])('is not valid once %s has reached its deadline', async (_, jump) => {
    const lease = await acquire();
    leases.renew = async () => {
      throw new Error('the database cannot be reached');
    };
    await clock.advance(100);
    jump();
    expect(lease.isValid()).toBe(false);
  });

  test('does not last longer because the wall clock was set back', async () => {
    const lease = await acquire();
    leases.renew = async () => {
      throw new Error('the database cannot be reached');
    };
    clock.setBack(60_000);
    await clock.advance(TTL_MS);
    expect(lease.isValid()).toBe(false);
  });
});

describe('a wrong clock', () => {
  test('makes the process own no clusters until it is right again', async () => {
    const lease = await acquire();
    clock.setBack(-86_400_000);
    await clock.advance(TTL_MS / 3);
    expect(events).toEqual(['obstacle', 'give up']);
    expect(keeper.obstacle).toMatch(/86400.0 s ahead/);
    // Its lease is still renewed while it finishes its work, so no other process can acquire it.
    await clock.advance(TTL_MS * 2);
    expect((await leases.acquire(clusterId, two, TTL_MS)).outcome).toBe('held-by-other');
    await lease.release();
    expect(await keeper.acquire(clusterId, { onLost: () => undefined, onGiveUp: () => undefined })).toMatchObject({
      outcome: 'refused',
    });
    clock.setBack(86_400_000);
    await clock.advance(TTL_MS / 3);
    expect((await acquire()).isValid()).toBe(true);
    expect(events).toEqual(['obstacle', 'give up', 'no obstacle']);
  });

  test('never becomes the time of commands', async () => {
    await acquire();
    clock.setBack(-4_000);
    await clock.advance(TTL_MS);
    expect(keeper.nowMs()).toBeLessThanOrEqual(clock.monotonicMs());
    expect(keeper.nowMs()).toBeGreaterThan(clock.monotonicMs() - TTL_MS);
  });
});

describe('leases of two cells', () => {
  /** The test's cluster has its lease in `main`; every other one in `eu-1`, which fails or hangs. */
  function withTroubledCell(trouble: () => Promise<never>): Leases {
    const other = new MemoryLeases(() => clock.monotonicMs());
    const of = (id: string) => (id === clusterId ? leases : other);
    return {
      acquire: async (id, owner, ttlMs) => {
        const attempt = await of(id).acquire(id, owner, ttlMs);
        if (id === clusterId || attempt.outcome !== 'acquired') {
          return attempt;
        }
        return { ...attempt, lease: { ...attempt.lease, cell: 'eu-1' }, databaseMs: undefined };
      },
      renew: (asked, owner, ttlMs) => (asked[0]?.cell === 'eu-1' ? trouble() : leases.renew(asked, owner, ttlMs)),
      release: (lease, owner) => of(lease.clusterId).release(lease, owner),
      holder: (id) => of(id).holder(id),
      handOver: (lease, ...to) => of(lease.clusterId).handOver(lease, ...to),
    };
  }

  test.each([
    ['fails', () => Promise.reject(new Error('the cell is down'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])('are renewed independently when one cell’s renewal %s', async (_, trouble) => {
    keeper.stop();
    keeper = new LeaseKeeper({
      leases: withTroubledCell(trouble),
      owner: one,
      ttlMs: TTL_MS,
      clock,
      onRenewalFailed: () => undefined,
    });
    const sound = await acquire();
    const troubled = await keeper.acquire(randomUUID(), { onLost: () => undefined, onGiveUp: () => undefined });
    await clock.advance(TTL_MS * 5);
    expect(sound.isValid()).toBe(true);
    expect(troubled.outcome === 'acquired' && troubled.lease.isValid()).toBe(false);
    expect(events).not.toContain('lost');
  });
});
