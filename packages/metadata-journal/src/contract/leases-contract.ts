// The contract of Leases. The test file of each implementation runs this suite.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DatabaseTime, HeldLease, LeaseAttempt, LeaseOwner, Leases } from '../leases.ts';

export interface LeasesHarness {
  leases(): Leases;
  /** Expires the lease of this cluster, by the store's own clock. */
  expire(clusterId: string): Promise<void>;
  /** Asks the owner to give the cluster up, as a move to another cell does. */
  askToLeave(clusterId: string): Promise<void>;
  /** The store's own clock, in ms. */
  nowMs(): Promise<number>;
}

const one: LeaseOwner = { ownerId: 'one', ownerUrl: 'http://one', adminUrl: 'http://one:1' };
const other: LeaseOwner = { ownerId: 'other', ownerUrl: 'http://other' };
const TTL_MS = 60_000;

function acquired(attempt: LeaseAttempt): HeldLease {
  if (attempt.outcome !== 'acquired') {
    throw new Error(`the lease was not acquired: ${attempt.outcome}`);
  }
  return attempt.lease;
}

export function describeLeases(name: string, harness: LeasesHarness): void {
  describe(`${name}: leases`, () => {
    test('a live lease keeps others out and names the owner', async () => {
      const clusterId = randomUUID();
      acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      const attempt = await harness.leases().acquire(clusterId, other, TTL_MS);
      expect(attempt).toMatchObject({ outcome: 'held-by-other', ownerUrl: 'http://one', adminUrl: 'http://one:1' });
      if (attempt.outcome === 'held-by-other') {
        expect(attempt.expiresInMs).toBeGreaterThan(TTL_MS / 2);
      }
    });

    test('exactly one of many processes gets a free lease', async () => {
      const clusterId = randomUUID();
      const owners = Array.from({ length: 8 }, (_, n) => ({ ownerId: `owner-${n}`, ownerUrl: `http://owner-${n}` }));
      const attempts = await Promise.all(owners.map((owner) => harness.leases().acquire(clusterId, owner, TTL_MS)));
      expect(attempts.filter((attempt) => attempt.outcome === 'acquired')).toHaveLength(1);
    });

    test('an expired lease goes to the next caller at a higher epoch', async () => {
      const clusterId = randomUUID();
      const first = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      await harness.expire(clusterId);
      const second = acquired(await harness.leases().acquire(clusterId, other, TTL_MS));
      expect(second.epoch).toBeGreaterThan(first.epoch);
    });

    test('a released lease is free at once', async () => {
      const clusterId = randomUUID();
      const lease = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      await harness.leases().release(lease, one);
      expect((await harness.leases().acquire(clusterId, other, TTL_MS)).outcome).toBe('acquired');
    });

    test('the holder of a live lease is named without acquiring it', async () => {
      const clusterId = randomUUID();
      expect(await harness.leases().holder(clusterId)).toBeUndefined();
      const lease = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      const holder = await harness.leases().holder(clusterId);
      expect(holder).toMatchObject({ ownerUrl: 'http://one', adminUrl: 'http://one:1' });
      expect(holder?.expiresInMs).toBeGreaterThan(TTL_MS / 2);
      await harness.leases().release(lease, one);
      expect(await harness.leases().holder(clusterId)).toBeUndefined();
    });

    test('a handed-over lease waits for its new owner alone', async () => {
      const clusterId = randomUUID();
      const lease = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      await harness.leases().handOver(lease, one, other, TTL_MS);
      for (const owner of [one, { ownerId: 'third', ownerUrl: 'http://third' }]) {
        const attempt = await harness.leases().acquire(clusterId, owner, TTL_MS);
        expect(attempt).toMatchObject({ outcome: 'held-by-other', ownerUrl: 'http://other' });
      }
      expect((await harness.leases().renew([lease], one, TTL_MS)).held).toEqual(new Set());
      expect(acquired(await harness.leases().acquire(clusterId, other, TTL_MS)).epoch).toBeGreaterThan(lease.epoch);
    });

    test('a handed-over lease is free once its new owner let it expire', async () => {
      const clusterId = randomUUID();
      await harness
        .leases()
        .handOver(acquired(await harness.leases().acquire(clusterId, one, TTL_MS)), one, other, TTL_MS);
      await harness.expire(clusterId);
      acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
    });

    test('a lost lease cannot be handed over', async () => {
      const clusterId = randomUUID();
      const early = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      await harness.leases().handOver(early, one, other, TTL_MS);
      expect(await harness.leases().acquire(clusterId, other, TTL_MS)).toMatchObject({ ownerUrl: 'http://one' });
    });

    test('a cluster that moves to another cell is released instead', async () => {
      const clusterId = randomUUID();
      const lease = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      await harness.askToLeave(clusterId);
      await harness.leases().handOver(lease, one, other, TTL_MS);
      expect((await harness.leases().acquire(clusterId, other, TTL_MS)).outcome).toBe('moving');
    });

    test('a renewal reports leases that were taken over', async () => {
      const [kept, lost] = [randomUUID(), randomUUID()];
      const leases = [
        acquired(await harness.leases().acquire(kept, one, TTL_MS)),
        acquired(await harness.leases().acquire(lost, one, TTL_MS)),
      ];
      await harness.expire(lost);
      acquired(await harness.leases().acquire(lost, other, TTL_MS));
      expect((await harness.leases().renew(leases, one, TTL_MS)).held).toEqual(new Set([kept]));
      expect((await harness.leases().renew([], one, TTL_MS)).held).toEqual(new Set());
    });

    test('an expired lease can be renewed unless it was taken over', async () => {
      const clusterId = randomUUID();
      const lease = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      await harness.expire(clusterId);
      expect((await harness.leases().renew([lease], one, TTL_MS)).held).toEqual(new Set([clusterId]));
      expect((await harness.leases().acquire(clusterId, other, TTL_MS)).outcome).toBe('held-by-other');
    });

    test('a lease of an earlier epoch cannot be renewed or released', async () => {
      const clusterId = randomUUID();
      const early = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      expect((await harness.leases().renew([early], one, TTL_MS)).held).toEqual(new Set());
      await harness.leases().release(early, one);
      expect((await harness.leases().acquire(clusterId, other, TTL_MS)).outcome).toBe('held-by-other');
    });

    // It keeps its lease until then, and no other process gets it after.
    test('an owner asked to leave learns it at its next renewal', async () => {
      const clusterId = randomUUID();
      const lease = acquired(await harness.leases().acquire(clusterId, one, TTL_MS));
      expect((await harness.leases().renew([lease], one, TTL_MS)).leaving).toEqual(new Set());
      await harness.askToLeave(clusterId);
      expect((await harness.leases().acquire(clusterId, other, TTL_MS)).outcome).toBe('held-by-other');
      expect(await harness.leases().renew([lease], one, TTL_MS)).toMatchObject({
        held: new Set([clusterId]),
        leaving: new Set([clusterId]),
      });
      await harness.leases().release(lease, one);
      expect((await harness.leases().acquire(clusterId, other, TTL_MS)).outcome).toBe('moving');
      expect((await harness.leases().acquire(clusterId, one, TTL_MS)).outcome).toBe('moving');
    });

    test('every answer carries the store’s time at the call', async () => {
      const clusterId = randomUUID();
      const timed = async (call: () => Promise<DatabaseTime>): Promise<void> => {
        const sentMs = await harness.nowMs();
        const { databaseMs } = await call();
        expect(databaseMs).toBeGreaterThanOrEqual(Math.floor(sentMs));
        expect(databaseMs).toBeLessThanOrEqual(await harness.nowMs());
      };
      await timed(() => harness.leases().acquire(clusterId, one, TTL_MS));
      await timed(() => harness.leases().acquire(clusterId, other, TTL_MS));
      await timed(() => harness.leases().renew([{ clusterId, epoch: 1, cell: 'main' }], one, TTL_MS));
      await timed(() => harness.leases().renew([], one, TTL_MS));
    });
  });
}
