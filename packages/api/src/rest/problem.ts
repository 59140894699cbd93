// Errors of the public API: RFC 9457 problem details with stable codes.
import { AppError, type AppErrorKind, type Logger } from '@penstock/platform';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { describeError } from '../trpc/errors.ts';
import type { RestResponse } from './exchange.ts';

/** One invalid input. `pointer` is `#/name` in the body, `?name` in the query, `/{name}` in the path. */
export interface FieldProblem {
  pointer: string;
  detail: string;
}

export interface Problem {
  /** Identifies the type of problem: `code` with a prefix. */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Stable, because programs use it. */
  code: string;
  /** How the user can resolve the problem. */
  remedy?: string;
  /** Also in the header X-Request-Id. Include it when you contact support. */
  requestId: string;
  errors?: FieldProblem[];
}

const titles = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
} as const;

export type ProblemStatus = keyof typeof titles;

export const statusOfKind = {
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  outdated: 412,
  'invalid-input': 422,
  refused: 409,
  'rate-limited': 429,
  unavailable: 503,
  internal: 500,
} as const satisfies Record<AppErrorKind, ProblemStatus>;

/** A refusal by HTTP's own rules, not by a use-case. */
export class HttpRefusal extends Error {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly errors: FieldProblem[];
  readonly headers: Record<string, string>;

  constructor(
    status: ProblemStatus,
    code: string,
    detail: string,
    more: { errors?: FieldProblem[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }
}

export function titleOf(status: ProblemStatus): string {
  return titles[status];
}

/**
 * The response to a failed request, whatever was thrown. A defect shows only its reference number; the rest goes to the
 * log.
 */
export function problemResponse(
  error: unknown,
  requestId: string,
  logger: Logger,
  pointerOf: (field: string) => string,
): RestResponse {
  const problem = (status: ProblemStatus, code: string, detail: string, more: Partial<Problem> = {}): Problem => ({
    type: `urn:penstock:problem:${code}`,
    title: titles[status],
    status,
    detail,
    code,
    requestId,
    ...more,
  });
  if (error instanceof HttpRefusal) {
    const errors = error.errors.length === 0 ? {} : { errors: error.errors };
    return send(problem(error.status, error.code, error.message, errors), error.headers);
  }
  const cause = error instanceof TRPCError ? error.cause : error;
  if (cause instanceof ZodError) {
    const errors = cause.issues.map((issue) => ({
      pointer: pointerOf(String(issue.path[0] ?? '')),
      detail: issue.message,
    }));
    return send(problem(422, 'input_invalid', 'Some input is invalid. See errors.', { errors }));
  }
  if (cause instanceof AppError && cause.kind !== 'internal') {
    const status = statusOfKind[cause.kind];
    return send(
      problem(status, cause.code, cause.message, {
        ...(cause.remedy === undefined ? {} : { remedy: cause.remedy }),
        ...(cause.field === undefined ? {} : { errors: [{ pointer: pointerOf(cause.field), detail: cause.message }] }),
      }),
      status === 401 ? { 'www-authenticate': 'Bearer' } : status === 503 ? { 'retry-after': '2' } : {},
    );
  }
  const wrapped = error instanceof TRPCError ? error : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error });
  const { message, details } = describeError(wrapped, logger);
  const remedy = details.remedy === null ? {} : { remedy: details.remedy };
  return send(problem(500, details.appCode, message, remedy));
}

function send(problem: Problem, headers: Record<string, string> = {}): RestResponse {
  return {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(problem),
  };
}
