// Authenticates calls to AdminService. Our own web app and worker share one token.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { bearerToken } from './bearer-token.ts';

/** @throws ConnectError unauthenticated when the token is absent or wrong. */
export function admitInternal(internalToken: string, context: HandlerContext): void {
  const token = bearerToken(context.requestHeader);
  // Hashes have equal lengths, so the comparison does not reveal the token's length.
  if (token === undefined || !timingSafeEqual(sha256(token), sha256(internalToken))) {
    throw new ConnectError('the internal token is missing or wrong', Code.Unauthenticated);
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
