// Plain calls: agents' unary calls in protobuf, without compression or a deadline. They are served directly from their HTTP/2 streams,
// because Connect's adapter costs more per call than committing a file. Everything else goes to that adapter: JSON, gzip, deadlines, gRPC,
// streams. Callers see no difference.
// https://connectrpc.com/docs/protocol#unary-request
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { create, type DescMethodUnary, type Message, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { codeToHttpStatus, errorToJsonBytes } from '@connectrpc/connect/protocol-connect';
import type { connectNodeAdapter } from '@connectrpc/connect-node';
import { peerValues } from '../auth/caller-address.ts';
import type { CallFacts } from './agent-call.ts';
import { parseMessage } from './messages/parse-message.ts';

export interface PlainCall {
  readonly method: DescMethodUnary;
  /** Runs before the body is read. @throws ConnectError to refuse the call. */
  admit(call: CallFacts): Promise<void>;
  /** From the request's bytes to the response's. @throws ConnectError */
  answer(request: Uint8Array, call: CallFacts): Promise<Uint8Array>;
}

/** Serves a method with its implementation for messages. */
export function byMessages(
  method: DescMethodUnary,
  implementation: (request: Message, call: CallFacts) => Promise<MessageInitShape<DescMethodUnary['output']>>,
): PlainCall['answer'] {
  return async (request, call) => {
    const answer = await implementation(parseMessage(method.input, request), call);
    return toBinary(method.output, create(method.output, answer));
  };
}

export interface StreamsOptions {
  plainCalls: readonly PlainCall[];
  /** Serves all other requests. */
  adapter: ReturnType<typeof connectNodeAdapter>;
  maxMessageBytes: number;
  /** A response could not be sent, because of a defect of ours. */
  onDefect: (error: unknown, method: string) => void;
}

/** A listener for the `stream` event of an HTTP/2 server that routes each request. */
export function serveStreams({ plainCalls, adapter, maxMessageBytes, onDefect }: StreamsOptions) {
  const byPath = new Map(plainCalls.map((call) => [`/${call.method.parent.typeName}/${call.method.name}`, call]));
  // It never listens. It only turns streams into the requests and responses that the adapter expects.
  const others = createServer();
  others.on('request', adapter);
  return (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]): void => {
    const call = isPlain(headers) ? byPath.get(headers[':path'] ?? '') : undefined;
    if (call === undefined) {
      others.emit('stream', stream, headers, flags, rawHeaders);
    } else {
      serve(call, stream, headers, maxMessageBytes).catch((error: unknown) => onDefect(error, call.method.name));
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
  { method, admit, answer }: PlainCall,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): Promise<void> {
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
  };
  try {
    await admit(call);
    const request = await wholeBody(stream, headers['content-length'], maxBytes);
    if (request !== undefined) {
      const response = await answer(request, call);
      respond(stream, 200, responseHeaders, response);
    }
  } catch (error) {
    refuse(stream, error);
  }
}

/** @returns undefined when the caller aborts the call */
function wholeBody(
  stream: ServerHttp2Stream,
  announced: string | undefined,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
  if (stream.destroyed || stream.readableEnded) {
    // A request without a body says so in its headers: its end arrives before there is a listener for it.
    resolve(stream.destroyed ? undefined : new Uint8Array(0));
    return promise;
  }
  if (Number(announced) > maxBytes) {
    reject(tooLarge(maxBytes, `${announced} `));
    return promise;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      stream.pause();
      reject(tooLarge(maxBytes, ''));
    } else {
      chunks.push(chunk);
    }
  });
  stream.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes)));
  stream.once('close', () => resolve(undefined));
  return promise;
}

function tooLarge(maxBytes: number, size: string): ConnectError {
  return new ConnectError(
    `message size ${size}is larger than configured readMaxBytes ${maxBytes}`,
    Code.ResourceExhausted,
  );
}

function refuse(stream: ServerHttp2Stream, cause: unknown): void {
  const error =
    cause instanceof ConnectError
      ? cause
      : new ConnectError('internal error', Code.Internal, undefined, undefined, cause);
  const headers = { 'content-type': 'application/json', ...Object.fromEntries(error.metadata) };
  respond(stream, codeToHttpStatus(error.code), headers, errorToJsonBytes(error, undefined));
}

function respond(stream: ServerHttp2Stream, status: number, headers: Record<string, string>, body: Uint8Array): void {
  if (stream.destroyed || stream.closed) {
    return;
  }
  stream.respond({ ':status': status, ...headers, 'content-length': body.length });
  stream.end(body);
  if (!stream.readableEnded) {
    // Refused before the whole body arrived: the caller need not send the rest.
    stream.close();
  }
}
