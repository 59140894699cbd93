// The public API over Node's own HTTP. It stands before Next, not in it: a call costs far less than what Next does around each
// request, and needs nothing of that.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzip } from 'node:zlib';
import { apiBase, type Backend, handleRest, openApiDocument, type RestRequest, type RestResponse } from '@penstock/api';
import { apiHeaders } from './security-headers.ts';

const documentPath = `${apiBase}/openapi.json`;
/** Shorter ones gain nothing: they fit into one packet as they are. */
const worthCompressing_bytes = 1_400;

/** Whether a request is for the API, by its address as it came. Next sends those with a slash at their end to the one without. */
export function isPublicApi({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(`${apiBase}/`) && !pathOf(url).endsWith('/');
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

export function answerPublicApi(backend: Backend) {
  const always = apiHeaders(backend.webUrl.startsWith('https://'));
  // Made once per process: it changes with the code alone.
  let document: string | undefined;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isDocument =
      (request.method === 'GET' || request.method === 'HEAD') && pathOf(request.url ?? '') === documentPath;
    if (isDocument) document ??= JSON.stringify(openApiDocument(backend.webUrl));
    const answer = isDocument ? documentAnswer(document ?? '') : await handleRest(backend, restRequestOf(request));
    await send(request, response, { ...answer, headers: { ...always, ...answer.headers } });
  };
}

function documentAnswer(document: string): RestResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };
  return { status: 200, headers, body: document };
}

function restRequestOf(request: IncomingMessage): RestRequest {
  const { method = 'GET', url = '', headers } = request;
  // A body of GET and HEAD has no meaning; Node reads and drops it.
  const mayHaveBody = method !== 'GET' && method !== 'HEAD';
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return {
    method,
    url,
    headers: {
      get(name) {
        const value = headers[name];
        return value === undefined ? null : typeof value === 'string' ? value : value.join(', ');
      },
    },
    body: mayHaveBody && hasBody ? request : null,
  };
}

async function send(request: IncomingMessage, response: ServerResponse, answer: RestResponse): Promise<void> {
  const { status, headers, body } = answer;
  if (body === null) {
    response.writeHead(status, headers).end();
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    if (length >= worthCompressing_bytes && isText(headers) && acceptsGzip(request)) {
      const packed = await compressed(body);
      response.writeHead(status, { ...headers, ...packedHeaders, 'content-length': packed.length }).end(packed);
    } else {
      response.writeHead(status, { ...headers, 'content-length': length }).end(body);
    }
  } else if (request.method === 'HEAD') {
    await body[Symbol.asyncIterator]().return?.();
    response.writeHead(status, headers).end();
  } else if (acceptsGzip(request)) {
    response.writeHead(status, { ...headers, ...packedHeaders });
    await pipeline(Readable.from(body), createGzip(), response);
  } else {
    response.writeHead(status, headers);
    await pipeline(Readable.from(body), response);
  }
}

const packedHeaders = { 'content-encoding': 'gzip', vary: 'accept-encoding' };

function isText({ 'content-type': contentType = '' }: Record<string, string>): boolean {
  return /json|^text\//.test(contentType);
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''));
}

function compressed(body: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(body, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  });
}
