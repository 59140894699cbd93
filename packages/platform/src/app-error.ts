// The one error type that crosses a package boundary on purpose. Whatever else is thrown is a defect.

/** What sort of refusal it is. Each transport has one answer per kind (HTTP status, tRPC code). */
export type AppErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  /** What the caller saw is not how it is any more. */
  | 'outdated'
  | 'invalid-input'
  | 'refused'
  | 'rate-limited'
  | 'unavailable'
  | 'internal';

export interface AppErrorFacts {
  kind: AppErrorKind;
  /** Stable, for programs: snake_case, never reworded. */
  code: string;
  /** For the person who asked: what happened. One sentence that names no internals. */
  message: string;
  /** For the same person: what to do about it. */
  remedy?: string | undefined;
  /** Which input it is about, when it is about one. */
  field?: string | undefined;
  cause?: unknown;
}

/** An expected refusal: safe to show to the person who asked. */
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

/** Nothing of that id within reach of the caller. Foreign and missing things answer alike, so that ids cannot be probed. */
export function notFound(noun: string, remedy?: string): AppError {
  return new AppError({
    kind: 'not-found',
    code: `${noun.replaceAll(' ', '_')}_not_found`,
    message: `This organization has no such ${noun}.`,
    remedy: remedy ?? 'Check the ID or URL.',
  });
}
