// The only error type that crosses package boundaries on purpose. Anything else thrown is a defect.

/** The kind of refusal. Each transport maps it to one status (HTTP status, tRPC code). */
export type AppErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  /** The object has changed since the caller read it. */
  | 'outdated'
  | 'invalid-input'
  | 'refused'
  | 'rate-limited'
  | 'unavailable'
  | 'internal';

export interface AppErrorFacts {
  kind: AppErrorKind;
  /** Stable, because programs use it: snake_case, never reworded. */
  code: string;
  /** Describes the problem to the user, in one sentence that names no internals. */
  message: string;
  /** How the user can resolve the problem. */
  remedy?: string | undefined;
  /** The input that it is about, if any. */
  field?: string | undefined;
  cause?: unknown;
}

/** An expected refusal, safe to show to the user. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly kind: AppErrorKind;
  readonly code: string;
  readonly remedy: string | undefined;
  readonly field: string | undefined;

  constructor(facts: AppErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.kind = facts.kind;
    this.code = facts.code;
    this.remedy = facts.remedy;
    this.field = facts.field;
  }
}

/**
 * There is no object with that id that the caller can see. Missing objects and other organizations' objects get the
 * same error, so that ids cannot be probed.
 */
export function notFound(noun: string, remedy?: string): AppError {
  return new AppError({
    kind: 'not-found',
    code: `${noun.replaceAll(' ', '_')}_not_found`,
    message: `This organization has no such ${noun}.`,
    remedy: remedy ?? 'Check the ID or URL.',
  });
}
