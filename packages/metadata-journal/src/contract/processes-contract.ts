// The contract of Processes. The test file of each implementation runs this suite.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Processes, ProcessReport } from '../processes/processes.ts';

export interface ProcessesHarness {
  processes(): Processes;
  /** Lets the time of this process pass, by the store's own clock. */
  expire(ownerId: string): Promise<void>;
}

const TTL_MS = 60_000;

function newProcess(): ProcessReport {
  const ownerId = randomUUID();
  return { ownerId, ownerUrl: `http://${ownerId}`, adminUrl: undefined, clusters: 3, isAccepting: true };
}

export function describeProcesses(name: string, harness: ProcessesHarness): void {
  const listed = async (ownerId: string) =>
    (await harness.processes().list()).find((process) => process.ownerId === ownerId);

  describe(`${name}: processes`, () => {
    test('a process is listed as it last reported', async () => {
      const process = newProcess();
      await harness.processes().report(process, TTL_MS);
      expect(await listed(process.ownerId)).toEqual({ ...process, isDraining: false });
      const changed = { ...process, clusters: 7, isAccepting: false };
      expect(await harness.processes().report(changed, TTL_MS)).toContainEqual({ ...changed, isDraining: false });
    });

    test('a process that left, or stopped reporting, is not listed', async () => {
      const [left, silent] = [newProcess(), { ...newProcess(), adminUrl: 'http://admin' }];
      await harness.processes().report(left, TTL_MS);
      await harness.processes().report(silent, TTL_MS);
      expect(await listed(silent.ownerId)).toMatchObject({ adminUrl: 'http://admin' });
      await harness.processes().leave(left.ownerId);
      await harness.expire(silent.ownerId);
      expect([await listed(left.ownerId), await listed(silent.ownerId)]).toEqual([undefined, undefined]);
      expect(await harness.processes().setDraining(left.ownerId, true)).toBe(false);
      expect(await harness.processes().setDraining(silent.ownerId, true)).toBe(false);
    });

    test('a drained process stays so until the operator ends it', async () => {
      const process = newProcess();
      await harness.processes().report(process, TTL_MS);
      expect(await harness.processes().setDraining(process.ownerId, true)).toBe(true);
      await harness.processes().report(process, TTL_MS);
      expect(await listed(process.ownerId)).toMatchObject({ isDraining: true });
      await harness.processes().setDraining(process.ownerId, false);
      expect(await listed(process.ownerId)).toMatchObject({ isDraining: false });
    });

    test('a cluster on its way counts for its new process', async () => {
      const process = newProcess();
      await harness.processes().report(process, TTL_MS);
      await harness.processes().expect(process.ownerId);
      expect(await listed(process.ownerId)).toMatchObject({ clusters: 4 });
    });
  });
}
