// Requests that Node's parser refuses have no path yet. They are answered in the form of the public API, which programs read and people can.
import type { Duplex } from 'node:stream';
import { newId } from '@penstock/platform';

interface Unreadable {
  status: number;
  title: string;
  code: string;
  detail: string;
}

const TOO_LARGE: Unreadable = {
  status: 431,
  title: 'Request Header Fields Too Large',
  code: 'headers_too_large',
  detail: 'The URL and the headers exceed the limit of 16384 bytes. Send long values in the body.',
};
const TIMED_OUT: Unreadable = {
  status: 408,
  title: 'Request Timeout',
  code: 'request_timeout',
  detail: 'The request did not arrive in time. Send it again.',
};
const MALFORMED: Unreadable = {
  status: 400,
  title: 'Bad Request',
  code: 'request_malformed',
  detail: 'This is not a valid HTTP/1.1 request.',
};

const BY_CODE = new Map([
  ['HPE_HEADER_OVERFLOW', TOO_LARGE],
  ['ERR_HTTP_REQUEST_TIMEOUT', TIMED_OUT],
]);

/** A listener for the `clientError` event of an HTTP server. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, title, code, detail } = BY_CODE.get(error.code ?? '') ?? MALFORMED;
  const requestId = newId();
  const body = JSON.stringify({ type: `urn:penstock:problem:${code}`, title, status, detail, code, requestId });
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
