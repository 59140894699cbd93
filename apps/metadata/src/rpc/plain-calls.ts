// Plain calls: unary calls of agents as agents send them, in protobuf, neither compressed nor with a deadline. They are served straight
// from their HTTP/2 streams, since what Connect's adapter spends on a call is more than committing a file costs. Everything else goes
// to that adapter: JSON, gzip, deadlines, gRPC, streams. Callers see no difference.
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

/** Serves a method by its implementation for messages. */
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
  /** Takes all other requests. */
  adapter: ReturnType<typeof connectNodeAdapter>;
  maxMessageBytes: number;
  /** An answer could not be sent, by a fault of ours. */
  onDefect: (error: unknown, method: string) => void;
}

/** A listener for the event `stream` of an HTTP/2 server that decides which way each request goes. */
export function serveStreams({ plainCalls, adapter, maxMessageBytes, onDefect }: StreamsOptions) {
  const byPath = new Map(plainCalls.map((call) => [`/${call.method.parent.typeName}/${call.method.name}`, call]));
  // It never listens: it only turns streams into the requests and responses that the adapter knows.
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

/** A listener for the same event, until there is something to serve requests with. Callers try again, as the code tells them. */
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
  // The caller broke the call off: there is nobody to tell.
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

/** @returns undefined when the caller broke off */
function wholeBody(
  stream: ServerHttp2Stream,
  announced: string | undefined,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
  if (stream.destroyed || stream.readableEnded) {
    // Whoever has nothing to send says so in the headers: that end is over before anybody could listen for it.
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
    // Refused before all of it came: the caller need not send the rest.
    stream.close();
  }
}
