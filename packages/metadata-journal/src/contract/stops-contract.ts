// The contract of Stops. The test file of each implementation runs this suite.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { JOURNAL_START, positionAfter } from '../position.ts';
import type { ClusterStop, LostTail, SparedFiles, Stops } from '../stops/stops.ts';

const first = positionAfter(JOURNAL_START, Buffer.from('one'));
const second = positionAfter(first, Buffer.from('two'));
const third = positionAfter(second, Buffer.from('three'));
const loss: LostTail = { witness: 'agent a', witnessed: { history: 0, ...third }, last: first };
const spared: SparedFiles = { fromMs: 1_000, toMs: 2_000, untilMs: 3_000 };

export function describeStops(name: string, harness: { stops(): Stops }): void {
  async function stopped(clusterId: string, why = loss): Promise<ClusterStop> {
    const stop = await harness.stops().stop(clusterId, why);
    if (stop === undefined) {
      throw new Error('the cluster was not stopped');
    }
    return stop;
  }

  describe(`${name}: stops`, () => {
    test('a cluster without earlier losses is in its first history', async () => {
      expect(await harness.stops().past(randomUUID())).toEqual({ stop: undefined, history: 0, spared: [] });
    });

    test('a stopped cluster keeps the loss that was reported first', async () => {
      const [clusterId, other] = [randomUUID(), randomUUID()];
      const stop = await stopped(clusterId);
      expect(stop).toMatchObject({
        clusterId,
        witness: 'agent a',
        witnessed: { history: 0, seq: 3 },
      });
      expect(Buffer.compare(stop.witnessed.hash, third.hash)).toBe(0);
      expect(Buffer.compare(stop.last.hash, first.hash)).toBe(0);
      expect(await stopped(clusterId, { ...loss, witness: 'agent b' })).toEqual(stop);
      expect((await harness.stops().past(clusterId)).stop).toEqual(stop);
      expect(await harness.stops().among([other, clusterId])).toEqual([stop]);
    });

    test('an accepted loss starts a history that old witnesses allow', async () => {
      const clusterId = randomUUID();
      const stop = await stopped(clusterId);
      expect(await harness.stops().resolve(stop, { kind: 'accepted', by: 'Operator', spared })).toBe(true);
      expect(await harness.stops().past(clusterId)).toEqual({ stop: undefined, history: 1, spared: [spared] });
      expect(await harness.stops().stop(clusterId, loss)).toBeUndefined();
      const again = await stopped(clusterId, { ...loss, witnessed: { history: 1, ...second } });
      expect(again.witnessed.history).toBe(1);
    });

    test('a restored cluster can be stopped again in its history', async () => {
      const clusterId = randomUUID();
      const stop = await stopped(clusterId);
      expect(await harness.stops().resolve(stop, { kind: 'restored', by: 'Operator' })).toBe(true);
      expect(await harness.stops().past(clusterId)).toEqual({ stop: undefined, history: 0, spared: [] });
      await stopped(clusterId);
    });

    test('a fault stops a cluster until it is mended', async () => {
      const clusterId = randomUUID();
      const fault = {
        position: second,
        command: 'commit-file',
        sha256: 'ab'.repeat(32),
        message: 'invariant broken: x',
      };
      const stop = await harness.stops().halt(clusterId, fault);
      expect(stop).toMatchObject({ clusterId, number: 1, witnessed: { history: 0, seq: 2 } });
      expect(stop.fault).toMatchObject({ command: 'commit-file', sha256: fault.sha256, message: fault.message });
      expect(Buffer.compare(stop.fault?.position.hash ?? Buffer.alloc(0), second.hash)).toBe(0);
      expect((await harness.stops().past(clusterId)).stop).toEqual(stop);
      expect(await harness.stops().halt(clusterId, { ...fault, command: 'other' })).toEqual(stop);
      expect(await stopped(clusterId)).toEqual(stop);
      expect(await harness.stops().resolve(stop, { kind: 'mended', by: 'Operator' })).toBe(true);
      expect(await harness.stops().past(clusterId)).toEqual({ stop: undefined, history: 0, spared: [] });
      expect((await harness.stops().halt(clusterId, fault)).number).toBe(2);
    });

    test('a stop is resolved once', async () => {
      const stop = await stopped(randomUUID());
      expect(await harness.stops().resolve(stop, { kind: 'restored', by: 'Operator' })).toBe(true);
      expect(await harness.stops().resolve(stop, { kind: 'accepted', by: 'Operator', spared })).toBe(false);
    });
  });
}
