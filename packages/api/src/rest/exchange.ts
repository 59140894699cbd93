// What the public API reads of a request and says in an answer. Plain values, so that whatever carries HTTP can carry them: the
// standard Request and Response cost more to make than most calls need to be answered.

export interface RestRequest {
  readonly method: string;
  /** Path and query, with or without an origin before them. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Null when the request has none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface RestResponse {
  status: number;
  /** Names in lower case, but for those of the rate limits, which are written as their draft writes them. */
  headers: Record<string, string>;
  /** Text, bytes, or a file that is made while it is sent. */
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

/** Nobody adds to it. */
const noQuery = new URLSearchParams();
