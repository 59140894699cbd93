import { Code } from '@connectrpc/connect';
import { OUTCOME_UNKNOWN_HEADER } from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { NotOwner, OwnerBusy, OwnerSteppedDown } from '../owners/errors.ts';
import { connectErrorOf } from './connect-errors.ts';

function outcomeOf(error: unknown): { code: Code; defects: unknown[] } {
  const defects: unknown[] = [];
  const { code } = connectErrorOf(error, 'Watch', (defect) => defects.push(defect));
  return { code, defects };
}

test('a cancelled call logs nothing', () => {
  const gone = Object.assign(new Error('The stream has been destroyed'), { code: 'ERR_HTTP2_INVALID_STREAM' });
  expect(outcomeOf(gone)).toEqual({ code: Code.Canceled, defects: [] });
});

test('an unknown error is a defect and reveals nothing', () => {
  const unknown = new Error('relation "cluster" does not exist');
  expect(outcomeOf(unknown)).toEqual({ code: Code.Internal, defects: [unknown] });
});

test.each([
  [new OwnerSteppedDown('cluster'), '1'],
  [new NotOwner('cluster'), null],
  [new OwnerBusy('cluster'), null],
])('%s says whether the call may have taken effect', (error, expected) => {
  const answer = connectErrorOf(error, 'AdminCreateTopics', () => undefined);
  expect([answer.code, answer.metadata.get(OUTCOME_UNKNOWN_HEADER)]).toEqual([Code.Unavailable, expected]);
});
