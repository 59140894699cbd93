import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  AgentDiagnosisSchema,
  BucketOperation,
  ErrorKind,
  LifecycleAction,
  LifecycleOutcome,
} from '@penstock/metadata-protocol';
import { expect, test } from 'vitest';
import { checkDiagnosis } from './check-diagnosis.ts';

const NOW_MS = 1_795_230_000_000;
type Message = MessageInitShape<typeof AgentDiagnosisSchema>;

function check(message: Message) {
  return checkDiagnosis(create(AgentDiagnosisSchema, message), NOW_MS);
}

const denied = { class: 'access-denied', code: 'AccessDenied', message: 'Access Denied' };

test('a diagnosis is stored with the times of our own clock', () => {
  expect(
    check({
      ageMs: 4_000n,
      checks: [
        { operation: BucketOperation.PUT, tookMs: 20 },
        { operation: BucketOperation.DELETE, tookMs: 5, failure: denied },
      ],
      storeClockOffsetMs: -120n,
      lifecycle: {
        outcome: LifecycleOutcome.HARMFUL,
        ruleId: 'tidy',
        action: LifecycleAction.EXPIRES,
        days: 7,
        prefix: 'prod/',
      },
      lastErrors: [{ kind: ErrorKind.PERMISSION, failure: denied, ageMs: 1_000n }],
    }),
  ).toEqual({
    isGood: true,
    diagnosis: {
      version: 1,
      checkedAtMs: NOW_MS - 4_000,
      checks: [
        { operation: 'put', took_ms: 20, failure: null },
        { operation: 'delete', took_ms: 5, failure: denied },
      ],
      storeClockOffset_ms: -120,
      lifecycle: {
        outcome: 'harmful',
        rule: { ruleId: 'tidy', action: 'expires', days: 7, prefix: 'prod/', storageClass: '' },
      },
      lastErrors: [{ kind: 'permission', failure: denied, atMs: NOW_MS - 1_000 }],
    },
  });
});

test.each<[string, Message, RegExp]>([
  ['an age of centuries', { ageMs: 1n << 60n }, /ten years/],
  ['an operation that there is not', { checks: [{ operation: 9 as BucketOperation }] }, /no operation/],
  ['an operation twice', { checks: [{ operation: 1 }, { operation: 1 }] }, /twice/],
  ['a kind of error twice', { lastErrors: [1, 1].map((kind) => ({ kind, failure: denied })) }, /twice/],
  ['an error without words', { lastErrors: [{ kind: 1 }] }, /no words/],
  [
    'a long message',
    { checks: [{ operation: 1, failure: { ...denied, message: 'x'.repeat(241) } }] },
    /longer than 240/,
  ],
  ['a long code', { checks: [{ operation: 1, failure: { ...denied, code: 'x'.repeat(65) } }] }, /longer than 64/],
  ['markup as a class', { checks: [{ operation: 1, failure: { ...denied, class: '<b>' } }] }, /small letters/],
  ['a line break', { checks: [{ operation: 1, failure: { ...denied, message: 'a\r\nBcc: b' } }] }, /not printed/],
  ['text that turns round', { checks: [{ operation: 1, failure: { ...denied, message: 'a\u202eb' } }] }, /not printed/],
  ['a clock of another century', { storeClockOffsetMs: 1n << 50n }, /century/],
  ['an outcome that there is not', { lifecycle: { outcome: 99 as LifecycleOutcome } }, /no outcome/],
  ['a rule that does nothing', { lifecycle: { outcome: LifecycleOutcome.HARMFUL } }, /no action/],
])('%s is refused with the reason', (_what, message, why) => {
  expect(check(message)).toEqual({ isGood: false, reason: expect.stringMatching(why) });
});

test('240 characters are accepted whatever their encoding', () => {
  expect(check({ checks: [{ operation: 1, failure: { ...denied, message: '𝄞'.repeat(240) } }] })).toMatchObject({
    isGood: true,
  });
});
