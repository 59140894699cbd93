// A refusal as plain text, for addresses that answer files to a browser.
import 'server-only';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';

/** @throws what is no refusal: a defect is not for readers */
export function refusalText(error: unknown): Response {
  if (!(error instanceof TRPCError) || error.code === 'INTERNAL_SERVER_ERROR') {
    throw error;
  }
  return new Response(`${error.message}\n`, {
    status: getHTTPStatusCodeFromError(error),
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
