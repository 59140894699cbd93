// Lets a handler break the stream that its caller does not read. Connect waits for a reader without end, so an ended handler would not help.
import { constants, type Http2ServerRequest } from 'node:http2';
import { createContextKey } from '@connectrpc/connect';

/** Resets the HTTP/2 stream of a call. What was not sent yet is dropped. */
export const cutOffKey = createContextKey<() => void>(() => undefined, { description: 'breaks the stream of a call' });

/** @param request over HTTP/2; calls over HTTP/1.1 are not cut off */
export function cutOffOf(request: object | Http2ServerRequest): () => void {
  return () => {
    if ('stream' in request) {
      request.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
  };
}
