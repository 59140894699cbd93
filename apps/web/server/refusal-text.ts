// An error as plain text, for URLs that serve files to browsers.
import 'server-only';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';

/** @throws anything that is not an AppError: a defect is not shown to users */
export function refusalText(error: unknown): Response {
  if (!(error instanceof TRPCError) || error.code === 'INTERNAL_SERVER_ERROR') {
    throw error;
  }
  return new Response(`${error.message}\n`, {
    status: getHTTPStatusCodeFromError(error),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
