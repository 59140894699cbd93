// Reads the body of a dashboard request before anything else is done with it, up to the limit of the public API.
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import superjson from 'superjson';
import type { ErrorDetails } from './errors.ts';

/** As for REST. Pages send forms; the largest has SAML metadata of at most 60,000 characters. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Returns the request with its body in memory; undefined if the body is too large. */
export async function withBoundedBody(request: Request): Promise<Request | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) {
    return undefined;
  }
  if (request.body === null) {
    return request;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      return undefined;
    }
    chunks.push(chunk);
  }
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(chunks) });
}

/** An error in the form of tRPC, which reads one object for all calls of a batch. */
export function bodyTooLarge(): Response {
  const details: ErrorDetails = { appCode: 'body_too_large', remedy: 'Send less at a time.', field: null };
  const error = {
    message: `The request exceeds the limit of ${MAX_BODY_BYTES} bytes. Nothing was changed.`,
    code: TRPC_ERROR_CODES_BY_KEY.PAYLOAD_TOO_LARGE,
    data: { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, ...details },
  };
  return Response.json({ error: superjson.serialize(error) }, { status: 413 });
}
