// Reads the bodies of the account library's requests and responses.
import { isStorable } from '@penstock/platform';

/** Far above the largest body in use, a passkey's attestation. */
const MAX_BODY_BYTES = 32 * 1024;

/** The bytes of a body; null if it is too large. */
async function readBounded(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = request.body?.getReader();
  for (let step = await reader?.read(); step?.value !== undefined; step = await reader?.read()) {
    sizeBytes += step.value.byteLength;
    if (sizeBytes > maxBytes) {
      return null;
    }
    chunks.push(step.value);
  }
  return Buffer.concat(chunks);
}

/** A SAML response with many groups and two certificates. */
const MAX_FORM_BYTES = 256 * 1024;

/** The fields of a posted form; null if it is too large. */
export async function readForm(request: Request): Promise<URLSearchParams | null> {
  const bytes = await readBounded(request, MAX_FORM_BYTES);
  return bytes === null ? null : new URLSearchParams(new TextDecoder().decode(bytes));
}

/** The JSON object in a request, empty if there is no body; null if it is something else or too large. */
export async function readJsonBody(request: Request): Promise<object | null> {
  const bytes = await readBounded(request);
  if (bytes === null) {
    return null;
  }
  if (bytes.length === 0) {
    return {};
  }
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : null;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

/** Far deeper than any form, and far from where functions that call themselves for each level run out of stack. */
const MAX_DEPTH = 16;

/** Why a body cannot be passed on; null if it can. */
export function bodyFault(body: object): string | null {
  const waiting: { value: unknown; depth: number }[] = [{ value: body, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string' && !isStorable(value)) {
      return 'Remove the NUL or incomplete character.';
    }
    if (typeof value === 'object' && value !== null) {
      if (depth === MAX_DEPTH) {
        return `Nest at most ${MAX_DEPTH} objects and arrays.`;
      }
      for (const [name, part] of Object.entries(value)) {
        waiting.push({ value: name, depth: depth + 1 }, { value: part, depth: depth + 1 });
      }
    }
  }
  return null;
}

/** A member of a value that may be an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A text member of a value that may be an object; null if there is none. */
export function textOf(value: unknown, name: string): string | null {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : null;
}

/**
 * Removes session tokens, which the library repeats in its response bodies. The HttpOnly cookie is enough, and scripts
 * cannot read it.
 * @returns the response to send, and its body if it is JSON
 */
export async function bodyWithoutTokens(response: Response): Promise<{ response: Response; body: unknown }> {
  if (response.headers.get('content-type')?.includes('application/json') !== true) {
    return { response, body: null };
  }
  const text = await response.text();
  // A redirect names a content type although it has no body.
  const body: unknown = text === '' ? null : JSON.parse(text);
  for (const holder of [body, memberOf(body, 'session')]) {
    if (typeof holder === 'object' && holder !== null && 'token' in holder) {
      holder.token = null;
    }
  }
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return {
    response: new Response(text === '' ? null : JSON.stringify(body), { status: response.status, headers }),
    body,
  };
}
