import { Code } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { connectErrorOf } from './connect-errors.ts';

function outcomeOf(error: unknown): { code: Code; defects: unknown[] } {
  const defects: unknown[] = [];
  const { code } = connectErrorOf(error, 'Watch', (defect) => defects.push(defect));
  return { code, defects };
}

test('a caller that breaks its call off fills no log', () => {
  const gone = Object.assign(new Error('The stream has been destroyed'), { code: 'ERR_HTTP2_INVALID_STREAM' });
  expect(outcomeOf(gone)).toEqual({ code: Code.Canceled, defects: [] });
});

test('an unknown error is a defect, and its caller learns nothing of it', () => {
  const unknown = new Error('relation "cluster" does not exist');
  expect(outcomeOf(unknown)).toEqual({ code: Code.Internal, defects: [unknown] });
});
