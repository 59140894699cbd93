// The public API's requests and responses as plain values, independent of the HTTP server. Creating standard Request
// and Response objects takes longer than answering most calls.

export interface RestRequest {
  readonly method: string;
  /** Path and query, with or without an origin. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Null if the request has no body. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface RestResponse {
  status: number;
  /** Names in lower case, except the rate limit headers, which keep the spelling of their draft. */
  headers: Record<string, string>;
  /** Text, bytes, or a streamed file. */
  body: string | Uint8Array | AsyncIterable<string> | null;
}

/** Path and query of a request, undecoded. */
export function targetOf({ url }: RestRequest): { path: string; query: URLSearchParams } {
  const target = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3));
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: noQuery }
    : { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark)) };
}

/** Shared, because nobody changes it. */
const noQuery = new URLSearchParams();
