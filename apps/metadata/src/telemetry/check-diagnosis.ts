// Validates an agent's diagnosis: few findings, short, in printable characters, because the text is shown and mailed to people. Pure.
import {
  BucketOperation,
  type AgentDiagnosis as DiagnosisMessage,
  ErrorKind,
  type Failure,
  LifecycleAction,
  type LifecycleCheck,
  LifecycleOutcome,
} from '@penstock/metadata-protocol';
import type {
  AgentDiagnosis,
  BucketOperationName,
  ErrorKindName,
  FailureWords,
  LifecycleFinding,
} from '@penstock/telemetry';

const MAX_CODE_LENGTH = 64;
const MAX_TEXT_LENGTH = 240;
/** S3 counts the days of lifecycle rules in 32 bits; more than a million is implausible. */
const MAX_DAYS = 1_000_000;
/** No agent has run for longer than this. */
const MAX_AGE_MS = 10n * 366n * 86_400_000n;
const MAX_OFFSET_MS = 3_155_760_000_000;
const CLASS = /^[a-z][a-z-]{0,31}$/;
/** Control characters, and characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export type CheckedDiagnosis = { isGood: true; diagnosis: AgentDiagnosis } | { isGood: false; reason: string };

class Absurd extends Error {}

/** Turns the message into what is stored, or returns why it is refused. */
export function checkDiagnosis(message: DiagnosisMessage, nowMs: number): CheckedDiagnosis {
  try {
    return {
      isGood: true,
      diagnosis: {
        version: 1,
        checkedAtMs: timeOf(message.ageMs, nowMs),
        checks: unique(
          'operation',
          message.checks.map(({ operation, tookMs, failure }) => ({
            operation: nameOf(operations, operation, 'operation'),
            took_ms: tookMs,
            failure: failure === undefined ? null : wordsOf(failure),
          })),
          ({ operation }) => operation,
        ),
        storeClockOffset_ms: message.storeClockOffsetMs === undefined ? null : offsetOf(message.storeClockOffsetMs),
        lifecycle: lifecycleOf(message.lifecycle),
        lastErrors: unique(
          'kind of error',
          message.lastErrors.map(({ kind, failure, ageMs }) => ({
            kind: nameOf(kinds, kind, 'kind of error'),
            failure: wordsOf(failure),
            atMs: timeOf(ageMs, nowMs),
          })),
          ({ kind }) => kind,
        ),
      },
    };
  } catch (error) {
    if (!(error instanceof Absurd)) {
      throw error;
    }
    return { isGood: false, reason: `diagnosis: ${error.message}` };
  }
}

const operations = new Map<number, BucketOperationName>([
  [BucketOperation.PUT, 'put'],
  [BucketOperation.GET, 'get'],
  [BucketOperation.LIST, 'list'],
  [BucketOperation.DELETE, 'delete'],
]);
const kinds = new Map<number, ErrorKindName>([
  [ErrorKind.STORE, 'store'],
  [ErrorKind.METADATA, 'metadata'],
  [ErrorKind.PERMISSION, 'permission'],
]);

function nameOf<Name>(names: ReadonlyMap<number, Name>, number: number, what: string): Name {
  const name = names.get(number);
  if (name === undefined) {
    throw new Absurd(`${number} is no ${what}`);
  }
  return name;
}

function unique<Item>(what: string, items: Item[], keyOf: (item: Item) => string): Item[] {
  if (new Set(items.map(keyOf)).size !== items.length) {
    throw new Absurd(`the same ${what} occurs twice`);
  }
  return items;
}

function timeOf(ageMs: bigint, nowMs: number): number {
  if (ageMs > MAX_AGE_MS) {
    throw new Absurd(`an age of ${ageMs} ms is more than ten years`);
  }
  return nowMs - Number(ageMs);
}

function offsetOf(offsetMs: bigint): number {
  const offset = Number(offsetMs);
  if (Math.abs(offset) > MAX_OFFSET_MS) {
    throw new Absurd(`a clock offset of ${offsetMs} ms is more than a century`);
  }
  return offset;
}

function textOf(text: string, mostLength: number): string {
  // Agents count characters; JavaScript counts some of them as two.
  if ([...text.slice(0, 2 * mostLength + 2)].length > mostLength) {
    throw new Absurd(`a text is longer than ${mostLength} characters`);
  }
  if (UNPRINTABLE.test(text)) {
    throw new Absurd('a text holds characters that are not printed');
  }
  return text;
}

function wordsOf(failure: Failure | undefined): FailureWords {
  if (failure === undefined) {
    throw new Absurd('a failure has no words');
  }
  if (!CLASS.test(failure.class)) {
    throw new Absurd('the class of a failure is of small letters and hyphens');
  }
  return {
    class: failure.class,
    code: textOf(failure.code, MAX_CODE_LENGTH),
    message: textOf(failure.message, MAX_TEXT_LENGTH),
  };
}

function lifecycleOf(check: LifecycleCheck | undefined): LifecycleFinding {
  if (check === undefined) {
    return { outcome: 'not-checked', reason: '' };
  }
  switch (check.outcome) {
    case LifecycleOutcome.NOT_CHECKED:
      return { outcome: 'not-checked', reason: textOf(check.reason, MAX_TEXT_LENGTH) };
    case LifecycleOutcome.NO_RULES:
      return { outcome: 'no-rules' };
    case LifecycleOutcome.HARMLESS:
      return { outcome: 'harmless' };
    case LifecycleOutcome.NOT_ALLOWED:
      return { outcome: 'not-allowed', failure: wordsOf(check.failure) };
    case LifecycleOutcome.FAILED:
      return { outcome: 'failed', failure: wordsOf(check.failure) };
    case LifecycleOutcome.HARMFUL:
      return { outcome: 'harmful', rule: ruleOf(check) };
    default:
      throw new Absurd(`${check.outcome} is no outcome of a look at lifecycle rules`);
  }
}

function ruleOf({ ruleId, action, days, prefix, storageClass }: LifecycleCheck) {
  if (days > MAX_DAYS) {
    throw new Absurd(`${days} days are too many`);
  }
  const actions = new Map([
    [LifecycleAction.EXPIRES, 'expires' as const],
    [LifecycleAction.TRANSITIONS, 'transitions' as const],
  ]);
  return {
    ruleId: textOf(ruleId, MAX_TEXT_LENGTH),
    action: nameOf(actions, action, 'action of a lifecycle rule'),
    days: days === 0 ? null : days,
    prefix: textOf(prefix, MAX_TEXT_LENGTH),
    storageClass: textOf(storageClass, MAX_CODE_LENGTH),
  };
}
