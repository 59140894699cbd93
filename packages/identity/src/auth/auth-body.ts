// Bodies of requests to and answers of the account library.

/** Far above the largest thing that is sent here, a passkey's attestation. */
const MAX_BODY_BYTES = 32 * 1024;

/** The bytes of a body; null when it has more than may be. */
async function readBounded(request: Request): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = request.body?.getReader();
  for (let step = await reader?.read(); step?.value !== undefined; step = await reader?.read()) {
    sizeBytes += step.value.byteLength;
    if (sizeBytes > MAX_BODY_BYTES) {
      return null;
    }
    chunks.push(step.value);
  }
  return Buffer.concat(chunks);
}

/** The JSON object in a request, empty without a body; null when it is something else, or too large. */
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

/** A member of what may be an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A text member of what may be an object; null when there is none. */
export function textOf(value: unknown, name: string): string | null {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : null;
}

/**
 * The library repeats the session's token in its answers; in the cookie, out of the reach of scripts, is enough.
 * @returns the answer to send, and its body when it is JSON
 */
export async function bodyWithoutTokens(response: Response): Promise<{ response: Response; body: unknown }> {
  if (response.headers.get('content-type')?.includes('application/json') !== true) {
    return { response, body: null };
  }
  const text = await response.text();
  // A redirect names the type of a body that it does not have.
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
