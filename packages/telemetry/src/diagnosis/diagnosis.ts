// What an agent found out about itself: whether its bucket does what it needs, and what failed last. The words are the agent's and its
// object storage's; who takes them in has checked their length.

export const bucketOperations = ['put', 'get', 'list', 'delete'] as const;
export type BucketOperationName = (typeof bucketOperations)[number];

export interface FailureWords {
  /** One of few, e.g. `access-denied`. */
  class: string;
  /** The other side's error code; may be empty. */
  code: string;
  message: string;
}

export interface BucketCheck {
  operation: BucketOperationName;
  took_ms: number;
  /** The failure; null if it works. */
  failure: FailureWords | null;
}

export interface HarmfulRule {
  ruleId: string;
  action: 'expires' | 'transitions';
  /** Null: on a date. */
  days: number | null;
  /** Empty: all objects of the bucket. */
  prefix: string;
  /** Where objects are moved; empty for a rule that expires them. */
  storageClass: string;
}

/** The effect of the bucket’s lifecycle rules on data files. */
export type LifecycleFinding =
  | { outcome: 'not-checked'; reason: string }
  | { outcome: 'no-rules' | 'harmless' }
  | { outcome: 'not-allowed' | 'failed'; failure: FailureWords }
  | { outcome: 'harmful'; rule: HarmfulRule };

export const errorKinds = ['store', 'metadata', 'permission'] as const;
export type ErrorKindName = (typeof errorKinds)[number];

export interface LastError {
  kind: ErrorKindName;
  failure: FailureWords;
  /** By the service's clock. */
  atMs: number;
}

export interface AgentDiagnosis {
  version: 1;
  /** By the service's clock. */
  checkedAtMs: number;
  checks: readonly BucketCheck[];
  /** The agent's wall clock minus its object storage's, off by a second at most. */
  storeClockOffset_ms: number | null;
  lifecycle: LifecycleFinding;
  lastErrors: readonly LastError[];
}

/** As it was stored; null for what another version of the service stored, or nobody. */
export function readDiagnosis(stored: unknown): AgentDiagnosis | null {
  const isOurs = typeof stored === 'object' && stored !== null && (stored as { version?: unknown }).version === 1;
  return isOurs ? (stored as AgentDiagnosis) : null;
}

/** The failures that last until an operator changes a setting; all others may pass by themselves. */
const lastingClasses: ReadonlySet<string> = new Set([
  'access-denied',
  'credentials',
  'clock-skewed',
  'no-bucket',
  'wrong-answer',
]);

/** The operations that the bucket refuses for good. */
export function refusedChecks({ checks }: AgentDiagnosis): { operation: BucketOperationName; failure: FailureWords }[] {
  return checks.flatMap(({ operation, failure }) =>
    failure !== null && lastingClasses.has(failure.class) ? [{ operation, failure }] : [],
  );
}

/** When object storage last refused this agent; null if never. */
export function lastRefusal({ lastErrors }: AgentDiagnosis): LastError | null {
  return lastErrors.find(({ kind }) => kind === 'permission') ?? null;
}

/** Whether there is anything in it that a health rule could tell. */
export function isTroubled(diagnosis: AgentDiagnosis): boolean {
  return (
    refusedChecks(diagnosis).length > 0 ||
    lastRefusal(diagnosis) !== null ||
    diagnosis.lifecycle.outcome === 'harmful' ||
    Math.abs(diagnosis.storeClockOffset_ms ?? 0) >= STORE_CLOCK_SKEW_MS
  );
}

/** Object storage tells its time in whole seconds, and a write takes some; S3 refuses requests that are 15 minutes off. */
export const STORE_CLOCK_SKEW_MS = 5_000;
