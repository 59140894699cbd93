// The door of AdminService: our own web app and worker, by one shared token.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { bearerToken } from './bearer-token.ts';

/** @throws ConnectError unauthenticated when the token is absent or wrong. */
export function admitInternal(internalToken: string, context: HandlerContext): void {
  const token = bearerToken(context.requestHeader);
  // Hashes have equal lengths, so that the comparison tells nothing of the token's own.
  if (token === undefined || !timingSafeEqual(sha256(token), sha256(internalToken))) {
    throw new ConnectError('the internal token is missing or wrong', Code.Unauthenticated);
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
