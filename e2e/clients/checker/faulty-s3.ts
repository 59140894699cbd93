// A proxy in front of an S3 server that injects the faults of object storage and networks. It parses methods and bodies, so it can carry a
// request out and then report a failure.
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export const s3FaultKinds = [
  /** 500 InternalError; the request is not carried out. */
  'internal-error',
  /** 503 SlowDown; the request is not carried out. */
  'slow-down',
  /** The connection closes before the request reaches the server. */
  'dropped',
  /** No response, and the request is not carried out. */
  'hanging',
  /** Carried out and answered late. */
  'delayed',
  /** Carried out, then answered with 500. */
  'done-then-error',
  /** Carried out, then the connection closes without a response. */
  'done-then-dropped',
  /** Carried out and never answered. */
  'done-then-hanging',
  /** The connection closes in the middle of the response body. */
  'answer-cut',
] as const;
export type S3FaultKind = (typeof s3FaultKinds)[number];

export const s3Methods = ['PUT', 'GET', 'HEAD', 'DELETE', 'LIST'] as const;
export type S3Method = (typeof s3Methods)[number];

export interface S3Fault {
  kind: S3FaultKind;
  methods: readonly S3Method[];
  /** Share of requests of these methods, 0 to 1. */
  probability: number;
  /** The delay, for mode `delayed`. */
  delay_ms: number;
}

export interface FaultyS3 {
  /** The URL, such as http://127.0.0.1:port */
  url: string;
  /** Undefined for no fault. A hanging request hangs until its client gives up. */
  setFault(fault: S3Fault | undefined): void;
  /** How many requests each fault affected, by method and kind. */
  struck: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const errors = {
  'internal-error': { status: 500, code: 'InternalError' },
  'done-then-error': { status: 500, code: 'InternalError' },
  'slow-down': { status: 503, code: 'SlowDown' },
} as const;

/** @param random draws from 0 to 1 whether a request is affected */
export async function startFaultyS3(targetUrl: string, random: () => number): Promise<FaultyS3> {
  const target = new URL(targetUrl);
  const agent = new Agent({ keepAlive: true });
  const struck = new Map<string, number>();
  let fault: S3Fault | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = methodOf(request);
    const strikes = fault?.methods.includes(method) === true && random() < fault.probability ? fault : undefined;
    if (strikes !== undefined) {
      const what = `${method} ${strikes.kind}`;
      struck.set(what, (struck.get(what) ?? 0) + 1);
    }
    const body = await bytesOf(request);
    switch (strikes?.kind) {
      case undefined:
        return send(response, await forward(target, agent, request, body));
      case 'internal-error':
      case 'slow-down':
        return sendError(response, strikes.kind);
      case 'dropped':
        return void response.destroy();
      case 'hanging':
        return;
      case 'delayed': {
        await new Promise((resolve) => setTimeout(resolve, strikes.delay_ms));
        return send(response, await forward(target, agent, request, body));
      }
      case 'done-then-error':
        await forward(target, agent, request, body);
        return sendError(response, strikes.kind);
      case 'done-then-dropped':
        await forward(target, agent, request, body);
        return void response.destroy();
      case 'done-then-hanging':
        await forward(target, agent, request, body);
        return;
      case 'answer-cut': {
        const whole = await forward(target, agent, request, body);
        response.writeHead(whole.status, { ...whole.headers, 'content-length': whole.body.length + 1 });
        response.write(whole.body.subarray(0, whole.body.length / 2), () => response.destroy());
      }
    }
  };
  const server = createServer((request, response) => {
    // Either side may be gone, which is the purpose of this proxy.
    response.on('error', () => undefined);
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setFault: (next) => {
      fault = next;
    },
    struck,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Classified as S3 bills them: a GET of a bucket is a listing, a POST may be a bulk delete. Everything else that writes or completes is a
 * PUT.
 */
function methodOf({ method, url }: IncomingMessage): S3Method {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://bucket');
  if (method === 'POST' && searchParams.has('delete')) {
    return 'DELETE';
  }
  if (method === 'GET' && pathname.split('/').filter((part) => part !== '').length <= 1) {
    return 'LIST';
  }
  return s3Methods.find((known) => known === method) ?? 'PUT';
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** With the original headers: the signature covers the host that the client used. */
function forward(target: URL, agent: Agent, request: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', url = '/' } = request;
    const address = { host: target.hostname, port: target.port, path: url };
    // The body is sent in one piece, however it arrived.
    const { 'transfer-encoding': _, ...headers } = request.headers;
    const length = body.length > 0 || headers['content-length'] !== undefined ? { 'content-length': body.length } : {};
    const upstream = httpRequest(
      { ...address, method, agent, setHost: false, headers: { ...headers, ...length } },
      (answer) => {
        bytesOf(answer).then((bytes) => {
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes });
        }, reject);
      },
    );
    upstream.on('error', reject);
    upstream.end(body);
  });
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, ...others } = headers;
  // The response to a HEAD has a content length but no body.
  const length = headers['content-length'] ?? body.length;
  response.writeHead(status, { ...others, 'content-length': length });
  response.end(body);
}

function sendError(response: ServerResponse, kind: keyof typeof errors): void {
  const { status, code } = errors[kind];
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>A fault of the test</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': body.length });
  response.end(body);
}
