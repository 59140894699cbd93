// Problems that agents found with their bucket: missing permissions, and harmful lifecycle rules.
import { type HarmfulRule, lastRefusal, refusedChecks } from '@penstock/telemetry';
import type { AgentMeasures } from '../facts.ts';
import type { Severity } from '../model.ts';
import { ARCHIVES, REFUSAL_FADES_MS } from '../thresholds.ts';
import { listed, type Observation, type Rule, subjectOf } from './rule.ts';

/** The activity that fails if an operation is refused. */
const operationWords = { put: 'write', get: 'read', list: 'list', delete: 'delete' } as const;

interface Refused {
  agentId: string;
  operations: readonly (keyof typeof operationWords)[];
  words: string;
  strength: Observation['strength'];
}

/**
 * An agent's own test is conclusive. A refusal during its work is bad until the next test, then fading until agents
 * would have reported it again.
 */
function refusalOf({ agentId, diagnosis }: AgentMeasures, nowMs: number): Refused | null {
  if (diagnosis === null) {
    return null;
  }
  const refused = refusedChecks(diagnosis);
  const [first] = refused;
  if (first !== undefined) {
    return {
      agentId,
      operations: refused.map(({ operation }) => operation),
      words: wordsOf(first.failure),
      strength: 'bad',
    };
  }
  const refusal = lastRefusal(diagnosis);
  if (refusal === null || nowMs - refusal.atMs > REFUSAL_FADES_MS) {
    return null;
  }
  const strength = refusal.atMs > diagnosis.checkedAtMs ? 'bad' : 'fading';
  return { agentId, operations: [], words: wordsOf(refusal.failure), strength };
}

function wordsOf({ code, message }: { code: string; message: string }): string {
  return code === '' || message.includes(code) ? message : `${code}: ${message}`;
}

export const bucketPermission: Rule = {
  id: 'bucket.permission',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ measures, together, nowMs }) {
    if (together === null) {
      return 'unknown';
    }
    const refused = measures.flatMap((measure) => refusalOf(measure, nowMs) ?? []);
    const [first] = refused;
    if (first === undefined) {
      return [];
    }
    const operations = [...new Set(refused.flatMap((own) => own.operations))];
    const ids = refused.map(({ agentId }) => agentId);
    const isBlocking = operations.includes('put') || operations.includes('get');
    const what =
      operations.length === 0
        ? 'was denied access during normal operation'
        : `can’t ${operations.map((operation) => operationWords[operation]).join(', ')} objects`;
    return [
      {
        subject: subjectOf(ids),
        severity: isBlocking ? 'critical' : 'warning',
        strength: refused.some(({ strength }) => strength === 'bad') ? 'bad' : 'fading',
        cause: `Agent ${listed(ids, 3)} ${what}${others(ids, measures)}. Object storage returned “${first.words}”.`,
      },
    ];
  },
};

function others(ids: readonly string[], measures: readonly AgentMeasures[]): string {
  const rest = measures.length - ids.length;
  return rest === 0 ? '' : `; ${rest} other ${rest === 1 ? 'agent is' : 'agents are'} not affected`;
}

export const bucketLifecycleRule: Rule = {
  id: 'bucket.lifecycle-rule',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ measures, together }) {
    if (together === null) {
      return 'unknown';
    }
    const seen = measures.flatMap(({ agentId, diagnosis }) =>
      diagnosis?.lifecycle.outcome === 'harmful' ? [{ agentId, rule: diagnosis.lifecycle.rule }] : [],
    );
    const [first] = seen;
    if (first === undefined) {
      return [];
    }
    // All agents of a cluster share one bucket, so one agent's observation is enough.
    return [{ subject: {}, severity: severityOf(first.rule), strength: 'bad', cause: causeOf(first.rule) }];
  },
};

function severityOf({ action, storageClass }: HarmfulRule): Severity {
  return action === 'expires' || ARCHIVES.includes(storageClass) ? 'critical' : 'warning';
}

function causeOf({ ruleId, action, days, prefix, storageClass }: HarmfulRule): string {
  const name = ruleId === '' ? 'An unnamed rule' : `Rule “${ruleId}”`;
  const objects = prefix === '' ? 'all objects of the bucket' : `objects under “${prefix}”`;
  const when = days === null ? 'on a date' : `after ${days} ${days === 1 ? 'day' : 'days'}`;
  if (action === 'expires') {
    return `${name} deletes ${objects} ${when}. Records that consumers haven’t read will be lost.`;
  }
  const effect = ARCHIVES.includes(storageClass)
    ? 'they can’t be read until they are restored'
    : 'they can be read, but each read is charged';
  return `${name} moves ${objects} to ${storageClass === '' ? 'another storage class' : storageClass} ${when}: ${effect}.`;
}
