// The contract of LeaseHolder. It runs on the lease thread of the service and on the keeper alone, which simulations and tests use.
import { randomUUID } from 'node:crypto';
import type { LeaseOwner, Leases } from '@penstock/metadata-journal';
import { describe, expect, test } from 'vitest';
import type { KeptLease, LeaseHolder } from '../owners/lease-keeper.ts';

export interface LeaseHolderHarness {
  /** Starts a holder that keeps leases for this owner. */
  start(owner: LeaseOwner): LeaseHolder;
  createCluster(): Promise<string>;
  /** The store in which all holders keep their leases. */
  leases(): Leases;
  ttlMs: number;
  /** Asks the owner of a cluster to give it up, as a move to another cell does. */
  askToLeave(clusterId: string): Promise<void>;
  /** The store's own clock, in ms. */
  databaseMs(): Promise<number>;
  /** Lets time pass until the condition holds. */
  passUntil(isTrue: () => boolean): Promise<void>;
}

const rival: LeaseOwner = { ownerId: 'rival', ownerUrl: 'http://rival', adminUrl: 'http://rival:1' };

function newOwner(): LeaseOwner {
  const ownerId = randomUUID();
  return { ownerId, ownerUrl: `http://${ownerId}` };
}

interface Kept {
  lease: KeptLease;
  events: string[];
}

async function acquire(holder: LeaseHolder, clusterId: string): Promise<Kept> {
  const events: string[] = [];
  const answer = await holder.acquire(clusterId, {
    onLost: () => events.push('lost'),
    onGiveUp: () => events.push('give up'),
  });
  if (answer.outcome !== 'acquired') {
    throw new Error(`the lease is ${answer.outcome}`);
  }
  return { lease: answer.lease, events };
}

const ignored = { onLost: () => undefined, onGiveUp: () => undefined };

export function describeLeaseHolder(name: string, harness: LeaseHolderHarness): void {
  describe(`${name}: holder of leases`, () => {
    test('a held lease keeps others out and names its owner', async () => {
      const [clusterId, owner] = [await harness.createCluster(), newOwner()];
      const { lease } = await acquire(harness.start(owner), clusterId);
      expect(lease.clusterId).toBe(clusterId);
      expect(lease.isValid()).toBe(true);
      const other = await harness.start(newOwner()).acquire(clusterId, ignored);
      expect(other).toMatchObject({ outcome: 'held-by-other', ownerUrl: owner.ownerUrl });
    });

    test('a lease is released at once, but only by its holder', async () => {
      const clusterId = await harness.createCluster();
      const holder = harness.start(newOwner());
      const early = await acquire(holder, clusterId);
      const late = await acquire(holder, clusterId);
      expect([early.lease.isValid(), late.lease.isValid()]).toEqual([false, true]);
      await early.lease.release();
      expect(late.lease.isValid()).toBe(true);
      await late.lease.release();
      expect(late.lease.isValid()).toBe(false);
      await late.lease.release();
      expect((await acquire(harness.start(newOwner()), clusterId)).lease.isValid()).toBe(true);
      expect([early.events, late.events]).toEqual([[], []]);
    });

    test('a lease is handed over to one other process', async () => {
      const clusterId = await harness.createCluster();
      const receiver = newOwner();
      const giving = await acquire(harness.start(newOwner()), clusterId);
      await giving.lease.handOver(receiver);
      expect(giving.lease.isValid()).toBe(false);
      const third = await harness.start(newOwner()).acquire(clusterId, ignored);
      expect(third).toMatchObject({ outcome: 'held-by-other', ownerUrl: receiver.ownerUrl });
      expect((await acquire(harness.start(receiver), clusterId)).lease.isValid()).toBe(true);
      expect(giving.events).toEqual([]);
    });

    test('reports a lease lost or wanted by a move, once', async () => {
      const [taken, moving, quiet] = [
        await harness.createCluster(),
        await harness.createCluster(),
        await harness.createCluster(),
      ];
      const owner = newOwner();
      const holder = harness.start(owner);
      const [lost, leaving, kept] = [
        await acquire(holder, taken),
        await acquire(holder, moving),
        await acquire(holder, quiet),
      ];
      await harness.leases().release({ clusterId: taken, epoch: 1, cell: 'main' }, owner);
      expect((await harness.leases().acquire(taken, rival, 10 * harness.ttlMs)).outcome).toBe('acquired');
      await harness.askToLeave(moving);
      await harness.passUntil(() => lost.events.length > 0 && leaving.events.length > 0);
      expect([lost.lease.isValid(), leaving.lease.isValid(), kept.lease.isValid()]).toEqual([false, true, true]);
      // Releasing a lost lease takes nothing from the process that has it now.
      await lost.lease.release();
      expect(await holder.acquire(taken, ignored)).toMatchObject({
        outcome: 'held-by-other',
        ownerUrl: rival.ownerUrl,
        adminUrl: rival.adminUrl,
      });
      await leaving.lease.release();
      expect(await holder.acquire(moving, ignored)).toEqual({ outcome: 'moving' });
      expect([lost.events, leaving.events, kept.events]).toEqual([['lost'], ['give up'], []]);
    });

    test('the time is the database’s, in whole ms and never ahead', async () => {
      const holder = harness.start(newOwner());
      expect(holder.hasTime).toBe(false);
      expect(() => holder.nowMs()).toThrow('has not been read yet');
      await acquire(holder, await harness.createCluster());
      expect(holder.hasTime).toBe(true);
      const reportedMs = holder.nowMs();
      expect(Number.isInteger(reportedMs)).toBe(true);
      expect(reportedMs).toBeLessThanOrEqual(await harness.databaseMs());
      expect(reportedMs).toBeGreaterThan((await harness.databaseMs()) - 10 * harness.ttlMs);
      expect([Math.abs(holder.clockErrorMs), holder.obstacle]).toEqual([0, undefined]);
    });
  });
}
