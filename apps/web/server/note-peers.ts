// Next takes the header x-forwarded-for as the client sent it and fills it in only when it is missing. Here the peer of every
// connection is noted behind what is there, as a proxy does: then the last hop is always one that the client did not write.
import type { IncomingMessage } from 'node:http';

const HEADER = 'x-forwarded-for';

/** What stands in the header once this server has noted the peer of the connection. */
export function hopsWith(brought: string | readonly string[] | undefined, peer: string): string {
  const before = brought === undefined ? '' : typeof brought === 'string' ? brought : brought.join(', ');
  return before.trim() === '' ? peer : `${before}, ${peer}`;
}

/** Notes the peer of a request, before anybody reads where it comes from. */
export function notePeer(request: IncomingMessage): void {
  const peer = request.socket.remoteAddress;
  if (peer !== undefined) {
    request.headers[HEADER] = hopsWith(request.headers[HEADER], peer);
  }
}
