// Next trusts the client's x-forwarded-for header and sets it only when it is missing. This server appends the peer of every connection, as
// a proxy does. The last hop is then always one that the client did not write.
import type { IncomingMessage } from 'node:http';

const HEADER = 'x-forwarded-for';

/** The header after this server has appended the connection's peer. */
export function hopsWith(brought: string | readonly string[] | undefined, peer: string): string {
  const before = brought === undefined ? '' : typeof brought === 'string' ? brought : brought.join(', ');
  return before.trim() === '' ? peer : `${before}, ${peer}`;
}

/** Appends the peer of a request. Must run before the client's address is read. */
export function notePeer(request: IncomingMessage): void {
  const peer = request.socket.remoteAddress;
  if (peer !== undefined) {
    request.headers[HEADER] = hopsWith(request.headers[HEADER], peer);
  }
}
