import { expect, test } from 'vitest';
import { failureText, lifecycleWords } from './diagnosis-words';

const denied = { class: 'access-denied', code: 'AccessDenied', message: 'Access Denied' };
const rule = { ruleId: 'tidy', action: 'expires', days: 30, prefix: '', storageClass: '' } as const;

test('an error code is shown once', () => {
  expect(failureText(denied)).toBe('AccessDenied: Access Denied');
  expect(failureText({ ...denied, message: 'AccessDenied while writing' })).toBe('AccessDenied while writing');
  expect(failureText({ ...denied, code: '' })).toBe('Access Denied');
});

test('shows lifecycle rules as fine only if read and harmless', () => {
  expect(lifecycleWords({ outcome: 'no-rules' }).tone).toBe('ok');
  expect(lifecycleWords({ outcome: 'harmless' }).tone).toBe('ok');
  expect(lifecycleWords({ outcome: 'not-checked', reason: 'only S3' })).toMatchObject({
    tone: 'neutral',
    text: expect.stringContaining('Only S3.'),
  });
  expect(lifecycleWords({ outcome: 'not-allowed', failure: denied }).text).toContain('s3:GetLifecycleConfiguration');
  expect(lifecycleWords({ outcome: 'failed', failure: denied }).tone).toBe('neutral');
});

test('shows a harmful rule with its name, effect and delay', () => {
  expect(lifecycleWords({ outcome: 'harmful', rule })).toEqual({
    tone: 'danger',
    label: 'Deletes data files',
    text: 'Rule “tidy” deletes all objects after 30 days. Change or disable it.',
  });
  const moves = { ...rule, action: 'transitions', days: 1, prefix: 'p/', storageClass: 'GLACIER' } as const;
  expect(lifecycleWords({ outcome: 'harmful', rule: moves }).text).toBe(
    'Rule “tidy” moves to GLACIER objects under “p/” after 1 day. Change or disable it.',
  );
});
