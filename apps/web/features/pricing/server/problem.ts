// RFC 9457 problem details.

export type FieldProblem = { readonly pointer: string; readonly detail: string };

const TITLES = {
  400: 'Invalid JSON',
  405: 'Method not allowed',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
} as const;

export type ProblemStatus = keyof typeof TITLES;

export function problem(
  status: ProblemStatus,
  detail: string,
  errors: readonly FieldProblem[] = [],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { type: 'about:blank', title: TITLES[status], status, detail, ...(errors.length > 0 ? { errors } : {}) };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers },
  });
}
