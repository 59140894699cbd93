// Serves the public API and SCIM over Node's own HTTP. It runs before Next: a call costs far less than what Next does around each request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzip } from 'node:zlib';
import {
  API_BASE,
  type Backend,
  handleRest,
  handleScim,
  openApiDocument,
  type RestRequest,
  type RestResponse,
  SCIM_BASE,
} from '@penstock/api';
import { apiHeaders } from './security-headers.ts';

const documentPath = `${API_BASE}/openapi.json`;
/** Shorter responses fit into one packet uncompressed. */
const WORTH_COMPRESSING_BYTES = 1_400;

/** Whether a request is for the API or SCIM, by its raw path. Next redirects other paths with a trailing slash. */
export function isPublicApi({ url = '' }: IncomingMessage): boolean {
  return isScim(url) || (url.startsWith(`${API_BASE}/`) && !pathOf(url).endsWith('/'));
}

function isScim(url: string): boolean {
  return url.startsWith(`${SCIM_BASE}/`);
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

export function answerPublicApi(backend: Backend) {
  const always = apiHeaders(backend.webUrl.startsWith('https://'));
  // Built once per process: it changes only with the code.
  let document: string | undefined;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isScim(request.url ?? '')) {
      const scim = await handleScim(backend, restRequestOf(request));
      return send(request, response, { ...scim, headers: { ...always, ...scim.headers } });
    }
    const isDocument =
      (request.method === 'GET' || request.method === 'HEAD') && pathOf(request.url ?? '') === documentPath;
    if (isDocument) {
      document ??= JSON.stringify(openApiDocument(backend.webUrl));
    }
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
  // A body of GET and HEAD has no meaning; Node reads and discards it.
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
    if (length >= WORTH_COMPRESSING_BYTES && isText(headers) && acceptsGzip(request)) {
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
