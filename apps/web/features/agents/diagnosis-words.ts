// An agent's diagnosis in words. Pure.
import type { RouterOutputs } from '../../lib/trpc';

export type Diagnosis = NonNullable<RouterOutputs['telemetry']['agentDiagnosis']>;
type Failure = Diagnosis['lastErrors'][number]['failure'];

/** `ok`: fine. `warn`: something to do. `neutral`: not known. */
export type Tone = 'ok' | 'warn' | 'danger' | 'neutral';

export const operationNames: Readonly<Record<Diagnosis['checks'][number]['operation'], string>> = {
  put: 'Write object',
  get: 'Read object',
  list: 'List objects',
  delete: 'Delete object',
};

export const errorKindNames: Readonly<Record<Diagnosis['lastErrors'][number]['kind'], string>> = {
  store: 'Object storage failed',
  metadata: 'Metadata service failed',
  permission: 'Object storage denied access',
};

/** `AccessDenied: Access Denied`; the code is not said twice. */
export function failureText({ code, message }: Failure): string {
  return code === '' || message.includes(code) ? message : `${code}: ${message}`;
}

export interface LifecycleWords {
  tone: Tone;
  label: string;
  text: string;
}

export function lifecycleWords(lifecycle: Diagnosis['lifecycle']): LifecycleWords {
  switch (lifecycle.outcome) {
    case 'no-rules':
      return { tone: 'ok', label: 'No rules', text: 'The bucket has no lifecycle rules.' };
    case 'harmless':
      return { tone: 'ok', label: 'Harmless', text: 'The bucket’s lifecycle rules don’t affect data files.' };
    case 'not-checked':
      return {
        tone: 'neutral',
        label: 'Not checked',
        text: `${lifecycle.reason === '' ? 'The agent didn’t check' : sentence(lifecycle.reason)}. Make sure that no rule deletes or moves objects under the bucket’s prefix.`,
      };
    case 'not-allowed':
      return {
        tone: 'neutral',
        label: 'Not checked',
        text: 'The agent’s role lacks s3:GetLifecycleConfiguration. Add it so that the agent can warn you about rules that delete data files.',
      };
    case 'failed':
      return { tone: 'neutral', label: 'Unknown', text: failureText(lifecycle.failure) };
    case 'harmful': {
      const { ruleId, action, days, prefix, storageClass } = lifecycle.rule;
      const what =
        action === 'expires' ? 'deletes' : `moves to ${storageClass === '' ? 'another storage class' : storageClass}`;
      const when = days === null ? 'on a date' : `after ${days} ${days === 1 ? 'day' : 'days'}`;
      return {
        tone: 'danger',
        label: action === 'expires' ? 'Deletes data files' : 'Moves data files',
        text: `${ruleId === '' ? 'An unnamed rule' : `Rule “${ruleId}”`} ${what} ${prefix === '' ? 'all objects' : `objects under “${prefix}”`} ${when}. Change or disable it.`,
      };
    }
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
