// Who may read the metrics of one of our programs: callers on the same machine, and those that bring the operator's token.
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** Too short a token could be guessed over the network. */
const MIN_TOKEN_CHARS = 16;

/** The token that `/metrics` asks callers on other machines for. Without it, only this machine may read them. */
export const metricsTokenVariable = z
  .string()
  .min(MIN_TOKEN_CHARS, `expected at least ${MIN_TOKEN_CHARS} characters`)
  .optional()
  .meta({
    description: 'The bearer token for `/metrics` from other machines. Without it, only this machine may read them.',
    isSecret: true,
  });

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/**
 * @param remoteAddress of the connection, never one from a header
 * @param authorization the request's header, if it has one
 * @returns why the caller may not read the metrics; undefined if it may
 */
export function metricsRefusal(
  remoteAddress: string | undefined,
  authorization: string | undefined,
  token: string | undefined,
): string | undefined {
  if (LOOPBACK.test(remoteAddress ?? '')) {
    return undefined;
  }
  if (token === undefined) {
    return 'metrics are for this machine only: set PENSTOCK_METRICS_TOKEN to read them from another one';
  }
  const brought = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return isEqual(brought, token)
    ? undefined
    : 'metrics need the header "Authorization: Bearer <PENSTOCK_METRICS_TOKEN>"';
}

/** Takes the same time wherever two texts differ. */
function isEqual(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
