// Converts errors for clients: expected refusals keep their messages, everything else becomes a defect with a reference
// number.
import { AppError, type AppErrorKind, type Logger, newId } from '@penstock/platform';
import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';

/** The error fields that a client receives in addition to tRPC's own. */
export interface ErrorDetails {
  /** A stable code for programs, separate from tRPC's own `code`. */
  appCode: string;
  /** How the user can resolve the problem. */
  remedy: string | null;
  /** The invalid input, if there is one; for forms. */
  field: string | null;
}

const trpcCodeOfKind = {
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  outdated: 'PRECONDITION_FAILED',
  'invalid-input': 'BAD_REQUEST',
  refused: 'PRECONDITION_FAILED',
  'rate-limited': 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<AppErrorKind, TRPCError['code']>;

/** The AppError inside, wherever tRPC has wrapped it. */
function appErrorIn(error: unknown): AppError | undefined {
  if (error instanceof AppError) {
    return error;
  }
  return error instanceof TRPCError ? appErrorIn(error.cause) : undefined;
}

/** Converts a use-case's refusal to an error with a tRPC code. */
export function toTrpcError(error: unknown): TRPCError {
  const appError = appErrorIn(error);
  if (appError !== undefined) {
    return new TRPCError({ code: trpcCodeOfKind[appError.kind], message: appError.message, cause: appError });
  }
  return error instanceof TRPCError ? error : new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error });
}

/** The message and details that leave the process. Defects are logged here, and only their reference number leaves. */
export function describeError(
  error: TRPCError,
  logger: Logger | undefined,
): { message: string; details: ErrorDetails } {
  const appError = appErrorIn(error);
  if (appError !== undefined && appError.kind !== 'internal') {
    return {
      message: appError.message,
      details: { appCode: appError.code, remedy: appError.remedy ?? null, field: appError.field ?? null },
    };
  }
  if (error.cause instanceof ZodError) {
    const [issue] = error.cause.issues;
    return {
      message: issue?.message ?? 'Some input is invalid.',
      details: { appCode: 'input_invalid', remedy: null, field: issue?.path.join('.') ?? null },
    };
  }
  // Our own refusals of this kind are AppErrors, so it is tRPC that knows no such procedure.
  if (error.code === 'NOT_FOUND') {
    return {
      message: 'This page is from an earlier version of Penstock. Nothing was changed.',
      details: { appCode: 'page_outdated', remedy: 'Reload the page and try again.', field: null },
    };
  }
  if (error.code !== 'INTERNAL_SERVER_ERROR') {
    return { message: error.message, details: { appCode: error.code.toLowerCase(), remedy: null, field: null } };
  }
  const reference = newId();
  logger?.error({ err: error.cause ?? error, reference }, 'A request failed for a reason that nobody foresaw');
  return {
    message: 'Something went wrong on our side. Nothing was changed.',
    details: {
      appCode: 'internal_error',
      remedy: `Try again. If the problem persists, contact support with the reference ${reference}.`,
      field: null,
    },
  };
}
