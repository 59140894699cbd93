// Plain calls: agents' unary calls in protobuf, without compression or a deadline. They are served directly from their HTTP/2 streams,
// because Connect's adapter costs more per call than committing a file. Everything else goes to that adapter: JSON, gzip, deadlines, gRPC,
// streams. Callers see no difference.
// https://connectrpc.com/docs/protocol#unary-request
import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { create, type DescMethodUnary, type Message, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeToHttpStatus, errorToJsonBytes } from '@connectrpc/connect/protocol-connect';
import type { connectNodeAdapter } from '@connectrpc/connect-node';
import { peerValues } from '../auth/caller-address.ts';
import type { HeldBytes } from '../budgets/bytes-in-flight.ts';
import { MAX_ADAPTED_BYTES, type RequestLimit } from '../budgets/request-limits.ts';
import type { CallFacts } from './agent-call.ts';
import { parseInSteps } from './messages/parse-message.ts';
import type { RpcMeter } from './rpc-meter.ts';

/** A call whose body takes longer to arrive is refused: it holds memory that others need. */
const BODY_TIMEOUT_MS = 20_000;

/** Maximum number of unread body bytes to discard. */
const MAX_DROPPED_BYTES = 1024 * 1024;

export interface PlainCall {
  readonly method: DescMethodUnary;
  readonly limit: RequestLimit;
  /** Runs before the body is read. @throws ConnectError to refuse the call. */
  admit(call: CallFacts): Promise<void>;
  /** Takes bytes for a request that was admitted, before they are read. @throws ConnectError when there is no room */
  hold(call: CallFacts, bytes: number): HeldBytes;
  /** From the request's bytes to the response's. @throws ConnectError */
  answer(request: Uint8Array, call: CallFacts): Promise<Uint8Array>;
}

/** Serves a method with its implementation for messages. `turn` waits for a turn among all clusters. */
export function byMessages(
  method: DescMethodUnary,
  limit: RequestLimit,
  turn: (call: CallFacts) => Promise<void> | undefined,
  implementation: (request: Message, call: CallFacts) => Promise<MessageInitShape<DescMethodUnary['output']>>,
): PlainCall['answer'] {
  return async (request, call) => {
    const message = await parseInSteps(method.input, request, limit, () => turn(call));
    const answer = await implementation(message, call);
    return toBinary(method.output, create(method.output, answer));
  };
}

export interface StreamsOptions {
  plainCalls: readonly PlainCall[];
  /** Serves all other requests. */
  adapter: ReturnType<typeof connectNodeAdapter>;
  meter: Pick<RpcMeter, 'measure'>;
  /** A response could not be sent, because of a defect of ours. */
  onDefect: (error: unknown, method: string) => void;
}

/** A listener for the `stream` event of an HTTP/2 server that routes each request. */
export function serveStreams({ plainCalls, adapter, meter, onDefect }: StreamsOptions) {
  const byPath = new Map(plainCalls.map((call) => [`/${call.method.parent.typeName}/${call.method.name}`, call]));
  // It never listens. It only turns streams into the requests and responses that the adapter expects.
  const others = createServer();
  others.on('request', adapter);
  return (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]): void => {
    const call = isPlain(headers) ? byPath.get(headers[':path'] ?? '') : undefined;
    if (call === undefined && announcedBytes(headers['content-length']) > MAX_ADAPTED_BYTES) {
      // The adapter would answer, and leave the caller waiting to send the rest.
      stream.on('error', () => undefined);
      refuse(stream, tooLarge('a call with JSON, compression, gRPC or a deadline', MAX_ADAPTED_BYTES));
    } else if (call === undefined) {
      // Node's client, on which Connect's is built, waits for ever after NO_ERROR when it is still sending, and reports CANCEL instead of
      // the answer. So it may send a little more.
      stream.once('finish', () => dropBody(stream, constants.NGHTTP2_CANCEL, MAX_DROPPED_BYTES));
      others.emit('stream', stream, headers, flags, rawHeaders);
    } else {
      serve(call, stream, headers, meter).catch((error: unknown) => onDefect(error, call.method.name));
    }
  };
}

/** A listener for the same event until the service can serve requests. Its code makes callers retry. */
export function refuseWhileStarting(stream: ServerHttp2Stream): void {
  stream.on('error', () => undefined);
  refuse(stream, new ConnectError('this metadata process is starting: try again', Code.Unavailable));
}

function isPlain(headers: IncomingHttpHeaders): boolean {
  return (
    headers['content-type'] === 'application/proto' &&
    headers[':method'] === 'POST' &&
    headers['content-encoding'] === undefined &&
    headers['accept-encoding'] === undefined &&
    headers['connect-timeout-ms'] === undefined &&
    headers.expect === undefined
  );
}

async function serve(
  plainCall: PlainCall,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  meter: Pick<RpcMeter, 'measure'>,
): Promise<void> {
  const { method, limit } = plainCall;
  // The caller aborted the call, so nobody receives the error.
  stream.on('error', () => undefined);
  const responseHeaders: Record<string, string> = { 'content-type': 'application/proto' };
  const call: CallFacts = {
    service: method.parent,
    method,
    requestHeader: { get: (name) => headers[name]?.toString() ?? null },
    responseHeader: {
      set: (name, value) => {
        responseHeaders[name] = value;
      },
    },
    values: peerValues(stream.session?.socket),
    signal: {
      get aborted() {
        return stream.aborted || stream.destroyed;
      },
    },
  };
  try {
    const announced = announcedBytes(headers['content-length']);
    const readBody = (held: HeldBytes): Promise<Uint8Array | undefined> =>
      wholeBody(stream, method.name, limit.maxBytes, held);
    const response = await meter.measure(method.name, () => servePlain(plainCall, call, announced, readBody));
    if (response !== undefined) {
      respond(stream, 200, responseHeaders, response);
    }
  } catch (error) {
    refuse(stream, error);
  }
}

/**
 * Serves one call, whatever it came over.
 * @param announced bytes of its body; 0 when it did not say
 * @param readBody resolves to undefined when the caller aborts the call
 * @throws ConnectError to refuse the call
 */
export async function servePlain(
  { method, limit, admit, hold, answer }: PlainCall,
  call: CallFacts,
  announced: number,
  readBody: (held: HeldBytes) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array | undefined> {
  await admit(call);
  if (announced > limit.maxBytes) {
    throw tooLarge(method.name, limit.maxBytes);
  }
  const held = hold(call, announced);
  try {
    const request = await readBody(held);
    return request === undefined ? undefined : await answer(request, call);
  } finally {
    held.release();
  }
}

/** 0 when the length of the body is not announced. */
function announcedBytes(contentLength: string | undefined): number {
  const bytes = Number(contentLength ?? 0);
  return Math.max(bytes, 0);
}

/**
 * @param held the bytes that were announced; grows with what arrives beyond them
 * @returns undefined when the caller aborts the call
 */
function wholeBody(
  stream: ServerHttp2Stream,
  method: string,
  maxBytes: number,
  held: HeldBytes,
): Promise<Uint8Array | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
  if (stream.destroyed || stream.readableEnded) {
    // A request without a body says so in its headers: its end arrives before there is a listener for it.
    resolve(stream.destroyed ? undefined : new Uint8Array(0));
    return promise;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = (error: ConnectError): void => {
    stream.pause();
    chunks.length = 0;
    reject(error);
  };
  const timer = setTimeout(() => {
    stop(new ConnectError('the body of the call did not arrive: try again', Code.DeadlineExceeded));
  }, BODY_TIMEOUT_MS);
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      stop(tooLarge(method, maxBytes));
    } else if (bytes > held.bytes && !held.grow(bytes - held.bytes)) {
      stop(noRoom());
    } else {
      chunks.push(chunk);
    }
  });
  stream.once('end', () => {
    clearTimeout(timer);
    resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes));
  });
  stream.once('close', () => {
    clearTimeout(timer);
    resolve(undefined);
  });
  return promise;
}

function tooLarge(method: string, maxBytes: number): ConnectError {
  return new ConnectError(
    `${method} takes at most ${maxBytes} bytes: split it into several calls`,
    Code.ResourceExhausted,
  );
}

/** The error when too many bytes of an organization's requests are held. Agents repeat the call. */
export function noRoom(): ConnectError {
  return new ConnectError(
    'too many bytes of requests of this organization are being received or served: try again in 1 s',
    Code.ResourceExhausted,
    { 'retry-after': '1' },
  );
}

function refuse(stream: ServerHttp2Stream, cause: unknown): void {
  const { status, headers, body } = refusalOf(cause);
  respond(stream, status, headers, body);
}

/** The response to a call that failed. */
export function refusalOf(cause: unknown): {
  error: ConnectError;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
} {
  const error =
    cause instanceof ConnectError
      ? cause
      : new ConnectError('internal error', Code.Internal, undefined, undefined, cause);
  const headers = { 'content-type': 'application/json', ...Object.fromEntries(error.metadata) };
  return { error, status: codeToHttpStatus(error.code), headers, body: errorToJsonBytes(error, undefined) };
}

function respond(stream: ServerHttp2Stream, status: number, headers: Record<string, string>, body: Uint8Array): void {
  if (stream.destroyed || stream.closed) {
    return;
  }
  stream.respond({ ':status': status, ...headers, 'content-length': body.length });
  stream.once('finish', () => dropBody(stream, constants.NGHTTP2_NO_ERROR, 0));
  stream.end(body);
}

/**
 * Answered before the whole body arrived: the caller need not send the rest. What has arrived is dropped, because a stream with unread bytes
 * is never destroyed, and Node counts them against its connection.
 * @param afterBytes more than this of the rest ends the stream
 */
function dropBody(stream: ServerHttp2Stream, code: number, afterBytes: number): void {
  if (stream.readableEnded || stream.destroyed) {
    return;
  }
  let droppedBytes = 0;
  stream.removeAllListeners('data');
  stream.on('data', (chunk: Buffer) => {
    droppedBytes += chunk.length;
    if (droppedBytes > afterBytes) {
      stream.close(code);
    }
  });
  stream.resume();
  if (afterBytes === 0) {
    stream.close(code);
  }
}
