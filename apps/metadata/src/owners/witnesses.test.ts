import { Code } from '@connectrpc/connect';
import { formatWitnessed, JOURNAL_START, MemoryJournal, type PositionStatus } from '@penstock/metadata-journal';
import { expect, test } from 'vitest';
import { connectErrorOf } from '../rpc/connect-errors.ts';
import { Witnesses } from './witnesses.ts';

class UnreachableJournal extends MemoryJournal {
  override statusOf(): Promise<PositionStatus> {
    return Promise.reject(new Error('connection refused'));
  }
}

test('a position that can’t be checked gets a retry and no verdict', async () => {
  const witnesses = new Witnesses({
    journal: new UnreachableJournal(),
    clusterId: 'cluster',
    history: 0,
    position: JOURNAL_START,
    onLost: () => Promise.reject(new Error('nothing is known to be lost')),
    onOvertaken: () => {
      throw new Error('nothing is known to be overtaken');
    },
  });
  const known = formatWitnessed({ history: 0, seq: 7, hash: new Uint8Array(32) });
  const error = await Promise.resolve(witnesses.check(known, 'an agent')).catch((refusal: unknown) =>
    connectErrorOf(refusal, 'commitFile', (defect) => {
      throw defect;
    }),
  );
  expect(error).toMatchObject({ code: Code.Unavailable });
});
