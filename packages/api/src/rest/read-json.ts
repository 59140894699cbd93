// Reads the JSON body of a request, for all routes.
import type { RestRequest } from './exchange.ts';
import { HttpRefusal } from './problem.ts';

/** The bodies that a transport of the API accepts. */
export interface BodyRules {
  maxBytes: number;
  /** Media types, in lower case; the first is named in refusals. */
  types: readonly [string, ...string[]];
}

const restRules: BodyRules = { maxBytes: 64 * 1024, types: ['application/json'] };

/**
 * The parsed body; undefined if it is empty.
 * @throws HttpRefusal 400, 413 or 415
 */
export async function readJson(request: RestRequest, { maxBytes, types } = restRules): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text.trim() === '') {
    return undefined;
  }
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (!types.includes(type.trim().toLowerCase())) {
    throw new HttpRefusal(415, 'content_type_unsupported', `Send the body as ${types[0]}.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, 'body_malformed', 'The body is not valid JSON.');
  }
}

async function readText(request: RestRequest, maxBytes: number): Promise<string> {
  if (request.body === null) {
    return '';
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new HttpRefusal(413, 'body_too_large', `The body exceeds the limit of ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
