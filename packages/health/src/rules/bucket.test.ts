import type { AgentDiagnosis, HarmfulRule } from '@penstock/telemetry';
import { expect, test } from 'vitest';
import { agent, START_MS, Watch } from '../testing/cluster.ts';

const denied = { class: 'access-denied', code: 'AccessDenied', message: 'Access Denied' };

function diagnosis(change: Partial<AgentDiagnosis> = {}): AgentDiagnosis {
  return {
    version: 1,
    checkedAtMs: START_MS,
    checks: [],
    storeClockOffset_ms: 0,
    lifecycle: { outcome: 'no-rules' },
    lastErrors: [],
    ...change,
  };
}

function refused(...operations: ('put' | 'get' | 'list' | 'delete')[]): AgentDiagnosis {
  return diagnosis({ checks: operations.map((operation) => ({ operation, took_ms: 9, failure: denied })) });
}

function withRule(rule: Partial<HarmfulRule>): AgentDiagnosis {
  const whole = { ruleId: 'tidy', action: 'expires', days: 30, prefix: '', storageClass: '', ...rule } as const;
  return diagnosis({ lifecycle: { outcome: 'harmful', rule: whole } });
}

const two = [agent(1), agent(2)];

test('quotes a bucket’s refusal until access returns', () => {
  const watch = new Watch();
  const { verdict } = watch.check({ agents: two, diagnoses: { 'agent-1': refused('put', 'delete') } });
  expect(verdict.level).toBe('critical');
  expect(verdict.findings).toMatchObject([
    {
      key: 'bucket.permission',
      severity: 'critical',
      subject: { agentId: 'agent-1' },
      cause:
        'Agent agent-1 can’t write, delete objects; 1 other agent is not affected. Object storage returned “AccessDenied: Access Denied”.',
    },
  ]);
  watch.check({ agents: two });
  expect(watch.notified).toEqual(['+bucket.permission', '-bucket.permission']);
});

// No data is lost.
test('missing list or delete permission is one warning', () => {
  const watch = new Watch();
  const { verdict } = watch.check({
    agents: two,
    diagnoses: { 'agent-1': refused('list'), 'agent-2': refused('delete') },
  });
  expect(verdict.findings).toMatchObject([{ severity: 'warning', subject: {} }]);
});

test('an operation that failed otherwise is no permission problem', () => {
  const watch = new Watch();
  const failure = { class: 'timeout', code: '', message: 'no answer in time' };
  watch.check({ diagnoses: { 'agent-1': diagnosis({ checks: [{ operation: 'put', took_ms: 9, failure }] }) } });
  expect(watch.notified).toEqual([]);
});

// Without flapping while it continues.
test('a refusal stays open until the agent has tried again', () => {
  const watch = new Watch();
  const met = (atMs: number, checkedAtMs: number) => ({
    'agent-1': diagnosis({ checkedAtMs, lastErrors: [{ kind: 'permission', failure: denied, atMs }] }),
  });
  watch.check({ diagnoses: met(START_MS, START_MS - 60_000) });
  expect(watch.notified).toEqual(['+bucket.permission']);
  // The test object can be written, while data files keep being refused.
  for (let at = 0; at < 6; at += 1) {
    watch.check({ diagnoses: met(watch.nowMs - 15_000, watch.nowMs - 5_000) });
  }
  expect(watch.notified).toEqual(['+bucket.permission']);
  const last = met(watch.nowMs - 15_000, watch.nowMs - 5_000);
  watch.for(40, { diagnoses: last });
  expect(watch.notified).toEqual(['+bucket.permission', '-bucket.permission']);
});

test('an old refusal raises nothing', () => {
  const watch = new Watch();
  const old = diagnosis({ lastErrors: [{ kind: 'permission', failure: denied, atMs: START_MS - 3_600_000 }] });
  watch.check({ diagnoses: { 'agent-1': old } });
  expect(watch.notified).toEqual([]);
});

test.each([
  [
    { days: 30 },
    'critical',
    'Rule “tidy” deletes all objects of the bucket after 30 days. Records that consumers haven’t read will be lost.',
  ],
  [
    { ruleId: '', days: null, prefix: 'prod/' },
    'critical',
    'An unnamed rule deletes objects under “prod/” on a date. Records that consumers haven’t read will be lost.',
  ],
  [
    { action: 'transitions', days: 1, storageClass: 'DEEP_ARCHIVE' },
    'critical',
    'Rule “tidy” moves all objects of the bucket to DEEP_ARCHIVE after 1 day: they can’t be read until they are restored.',
  ],
  [
    { action: 'transitions', storageClass: 'STANDARD_IA' },
    'warning',
    'Rule “tidy” moves all objects of the bucket to STANDARD_IA after 30 days: they can be read, but each read is charged.',
  ],
] as const)('a lifecycle rule with %o is a %s finding with its effect', (rule, severity, cause) => {
  const watch = new Watch();
  const seen = withRule(rule);
  const { verdict } = watch.check({ agents: two, diagnoses: { 'agent-1': seen, 'agent-2': seen } });
  expect(verdict.findings).toMatchObject([{ key: 'bucket.lifecycle-rule', severity, subject: {}, cause }]);
  watch.check({ agents: two });
  expect(watch.notified).toEqual(['+bucket.lifecycle-rule', '-bucket.lifecycle-rule']);
});

test('findings stay as they are while no agent reports', () => {
  const watch = new Watch();
  watch.check({ diagnoses: { 'agent-1': withRule({}) } });
  watch.for(20, { measured: undefined });
  expect(watch.notified).toEqual(['+bucket.lifecycle-rule']);
});
