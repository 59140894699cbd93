// Reads the JSON body of a request, for all routes.
import type { RestRequest } from './exchange.ts';
import { HttpRefusal } from './problem.ts';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * The parsed body; undefined if it is empty.
 * @throws HttpRefusal 400, 413 or 415
 */
export async function readJson(request: RestRequest): Promise<unknown> {
  const text = await readText(request);
  if (text.trim() === '') {
    return undefined;
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    throw new HttpRefusal(415, 'content_type_unsupported', 'Send the body as application/json.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, 'body_malformed', 'The body is not valid JSON.');
  }
}

async function readText(request: RestRequest): Promise<string> {
  if (request.body === null) {
    return '';
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) {
      throw new HttpRefusal(413, 'body_too_large', `The body exceeds the limit of ${MAX_BODY_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
