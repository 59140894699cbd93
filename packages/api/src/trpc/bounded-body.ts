// Bounds a dashboard request before anything else is done with it: the size of its body, by the limit of the public API, and the
// depth of its input.
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import superjson from 'superjson';
import type { ErrorDetails } from './errors.ts';

/** As for REST. Pages send forms; the largest has SAML metadata of at most 60,000 characters. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Far deeper than any input, and far from where superjson, which calls itself for each level, runs out of stack. */
const MAX_DEPTH = 64;
/** The parameters of a URL that tRPC parses as JSON. */
const JSON_PARAMETERS = ['input', 'connectionParams'];

/** Returns the request with its body in memory, or its refusal. */
export async function withBoundedBody(request: Request): Promise<Request | Response> {
  const parameters = new URL(request.url).searchParams;
  if (JSON_PARAMETERS.some((name) => isTooDeep(Buffer.from(parameters.get(name) ?? '')))) {
    return tooDeep();
  }
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) {
    return tooLarge();
  }
  if (request.body === null) {
    return request;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      return tooLarge();
    }
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (isTooDeep(body)) {
    return tooDeep();
  }
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body });
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Whether JSON nests too deep. Counts brackets outside of texts, so that nothing has to be built for the answer. */
function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      isText = !isText;
    } else if (isText) {
      at += byte === BACKSLASH ? 1 : 0;
    } else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        return true;
      }
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
  }
  return false;
}

function tooLarge(): Response {
  const details: ErrorDetails = { appCode: 'body_too_large', remedy: 'Send less at a time.', field: null };
  const message = `The request exceeds the limit of ${MAX_BODY_BYTES} bytes. Nothing was changed.`;
  return refusal(413, 'PAYLOAD_TOO_LARGE', message, details);
}

function tooDeep(): Response {
  const details: ErrorDetails = { appCode: 'input_too_deep', remedy: 'Send less deeply nested input.', field: null };
  const message = `The input nests more than ${MAX_DEPTH} objects and arrays. Nothing was changed.`;
  return refusal(400, 'BAD_REQUEST', message, details);
}

/** An error in the form of tRPC, which reads one object for all calls of a batch. */
function refusal(
  status: number,
  code: keyof typeof TRPC_ERROR_CODES_BY_KEY,
  message: string,
  details: ErrorDetails,
): Response {
  const error = { message, code: TRPC_ERROR_CODES_BY_KEY[code], data: { code, httpStatus: status, ...details } };
  return Response.json({ error: superjson.serialize(error) }, { status });
}
