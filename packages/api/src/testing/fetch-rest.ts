// The public API with standard Request and Response objects, which are convenient in tests.
import type { Backend } from '../backend.ts';
import { handleRest } from '../public-api.ts';

export async function fetchRest(backend: Backend, request: Request): Promise<Response> {
  const { method, url, headers } = request;
  const body = request.body === null ? null : [new Uint8Array(await request.arrayBuffer())];
  const answer = await handleRest(backend, { method, url, headers, body: body === null ? null : iterate(body) });
  const init = { status: answer.status, headers: answer.headers };
  if (answer.body === null || typeof answer.body === 'string') {
    return new Response(answer.body, init);
  }
  if (answer.body instanceof Uint8Array) {
    return new Response(new Uint8Array(answer.body), init);
  }
  let text = '';
  for await (const piece of answer.body) {
    text += piece;
  }
  return new Response(text, init);
}

async function* iterate<T>(items: Iterable<T>): AsyncIterable<T> {
  yield* items;
}
